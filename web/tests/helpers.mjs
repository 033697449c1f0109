// The checks of the package share these helpers.

// Every value is below 4 and is made of fewer than 64 roundings of f32: 64 * 4 * 2^-24.
export const BOUND = 2 ** -16;

export function fail(message) {
  throw new Error(message);
}
export function close(got, want, name, bound = BOUND) {
  if (got.length !== want.length) fail(`${name}: has ${got.length} elements, not ${want.length}`);
  for (let i = 0; i < want.length; ++i) {
    if (!(Math.abs(got[i] - want[i]) <= bound)) fail(`${name}[${i}]: is ${got[i]}, not ${want[i]}`);
  }
}
export function same(got, want, name) {
  close(got, want, name, 0);
}
export function sentence(Type, act, ...words) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Type)) fail(`${error}: is no TandemError`);
    for (const word of words) if (!error.message.includes(word)) fail(`"${error.message}" does not say ${word}`);
    return;
  }
  fail(`nothing was thrown that says ${words}`);
}

let state = 1;
const number = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
export const numbers = (count) => Float32Array.from({ length: count }, number);
