const tf = require('@tensorflow/tfjs');
const layer = tf.layers.gru({units: 1});
for (const steps of [2, 1]) {
  try {
    tf.grad(x => layer.apply(x).sum())(tf.ones([1, steps, 1])).print();
  } catch (error) {
    console.log(steps, error.message);  // with one step
  }
}
tf.grad(x => tf.unstack(x)[0].sum())(tf.ones([1, 3]));  // throws
