// Models of one operator, one step, one unit; as base64 because nothing but the library is needed.
const models = {
  rnn: // RNN, tanh, W = 1, R = 0
    'CAdCBAoAEA46dgolCgFYCgFXCgFSEgFZIgNSTk4qEgoLaGlkZGVuX3NpemUYAaABAhIDcm5uKhEIAQgBCAEQAUIBV0oEAACAPyoRCAEIAQgBEAFCAVJKBAAAAABaFwoBWBISChAIARIMCgIIAQoCCAEKAggBYgkKAVkSBAoCCAE=',
  lstm: // LSTM, W = 1, R = 0, B = 0
    'CAdCBAoAEA46vwEKKQoBWAoBVwoBUgoBQhIBWSIETFNUTSoSCgtoaWRkZW5fc2l6ZRgBoAECEgNybm4qHQgBCAQIARABQgFXShAAAIA/AACAPwAAgD8AAIA/Kh0IAQgECAEQAUIBUkoQAAAAAAAAAAAAAAAAAAAAACorCAEICBABQgFCSiAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFoXCgFYEhIKEAgBEgwKAggBCgIIAQoCCAFiCQoBWRIECgIIAQ==',
  lstmWithoutB:
    'CAdCBAoAEA46jwEKJgoBWAoBVwoBUhIBWSIETFNUTSoSCgtoaWRkZW5fc2l6ZRgBoAECEgNybm4qHQgBCAQIARABQgFXShAAAIA/AACAPwAAgD8AAIA/Kh0IAQgECAEQAUIBUkoQAAAAAAAAAAAAAAAAAAAAAFoXCgFYEhIKEAgBEgwKAggBCgIIAQoCCAFiCQoBWRIECgIIAQ==',
  gru: // GRU, W = (-1, 1, 1) for z, r, h; R = 0, B = 0, initial h = 1
    'CAdCBAoAEA46yAEKLgoBWAoBVwoBUgoBQgoACgJoMBIBWSIDR1JVKhIKC2hpZGRlbl9zaXplGAGgAQISA3JubioZCAEIAwgBEAFCAVdKDAAAgL8AAIA/AACAPyoZCAEIAwgBEAFCAVJKDAAAAAAAAAAAAAAAACojCAEIBhABQgFCShgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAqEggBCAEIARABQgJoMEoEAACAP1oXCgFYEhIKEAgBEgwKAggBCgIIAQoCCAFiCQoBWRIECgIIAQ==',
  sigmoid: // LSTM that makes c = sigmoid(x): W = 1 for i, else 0; B = 40 for o and c~
    'CAdCBAoAEA46vwEKKQoBWAoBVwoBUgoBQhIBWSIETFNUTSoSCgtoaWRkZW5fc2l6ZRgBoAECEgNybm4qHQgBCAQIARABQgFXShAAAIA/AAAAAAAAAAAAAAAAKh0IAQgECAEQAUIBUkoQAAAAAAAAAAAAAAAAAAAAACorCAEICBABQgFCSiAAAAAAAAAgQgAAAAAAACBCAAAAAAAAAAAAAAAAAAAAAFoXCgFYEhIKEAgBEgwKAggBCgIIAQoCCAFiCQoBWRIECgIIAQ==',
};
const ort = require('onnxruntime-node');
async function step(name, x) {
  const session = await ort.InferenceSession.create(Buffer.from(models[name], 'base64'));
  return (await session.run({X: new ort.Tensor('float32', [x], [1, 1, 1])})).Y.data[0];
}
(async () => {
  console.log(await step('lstm', NaN));          // 0.7615942, should be NaN
  console.log(await step('gru', NaN));           // 1, should be NaN
  console.log(await step('lstmWithoutB', NaN));  // NaN
  console.log(await step('rnn', 1e-6));          // 1.0728836e-6, should be 1e-6
  console.log(await step('rnn', 1e-8));          // 0, should be 1e-8
  for (const x of [-14, -15, -16, -17, -18]) {   // tanh(sigmoid(x)), which is sigmoid(x) here
    console.log(x, await step('sigmoid', x), 1 / (1 + Math.exp(-x)));
  }
  console.log(await step('gru', 10));            // 1.0000005, should be at most 1
})();
