// This is the library as a WebAssembly module: its memory and its C functions (api/include/dnnl/abi.h).

const decoder = new TextDecoder();

/** The library refuses a request; the message is its sentence. */
export class TandemError extends Error {
  constructor(message) {
    super(message);
    this.name = "TandemError";
  }
}

/** Returns `value` as a Float32Array of `size` elements. */
export function checked(value, name, size) {
  if (!(value instanceof Float32Array)) throw new TandemError(`${name}: must be a Float32Array`);
  if (value.length !== size) throw new TandemError(`${name}: has ${value.length} elements, but must have ${size}`);
  return value;
}

// The module asks the system for the time, for the environment, which is empty, and for a place to print.
function systemOf(memory) {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get: (clock, precision, at) => {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count, bytes) => {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write: (file, parts, count, written) => {
      let text = "", bytes = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true), size = view().getUint32(parts + 8 * i + 4, true);
        text += decoder.decode(new Uint8Array(memory().buffer, at, size));
        bytes += size;
      }
      view().setUint32(written, bytes, true);
      console.warn(text.replace(/\n$/, ""));
      return 0;
    },
    proc_exit: (status) => {
      throw new Error(`tandem-rnn: the module ended with status ${status}`);
    },
  };
}

/** Returns the bytes of the module that lies beside this file. node.mjs reads them as a file. */
async function ownBytes() {
  const url = new URL("./tandem.wasm", import.meta.url);
  if (url.protocol === "file:") throw new TandemError("load: tandem.wasm is a file here, which fetch() does not read; give its bytes");
  const response = await fetch(url);
  if (!response.ok) throw new TandemError(`load: ${url}: status ${response.status}`);
  return response.arrayBuffer();
}

/** Compiles the bytes of a module. */
async function compile(source) {
  try {
    return await WebAssembly.compile(source);
  } catch (error) {
    throw new TandemError(`load: the source is no WebAssembly module (${error.message})`);
  }
}

/** This is an instance. Its memory may grow with any call: views are made anew for each use. */
export class Module {
  /** source: bytes or a WebAssembly.Module; undefined: the module of the package. */
  static async load(source) {
    source ??= await ownBytes();
    const compiled = source instanceof WebAssembly.Module ? source : await compile(source);
    const imports = {};
    const module = new Module();
    const system = systemOf(() => module.memory);
    for (const { module: from, name } of WebAssembly.Module.imports(compiled)) {
      // 52 is ENOSYS, for functions that the library has no use for.
      (imports[from] ??= {})[name] = system[name] ?? (() => 52);
    }
    const instance = await WebAssembly.instantiate(compiled, imports);
    module.functions = instance.exports;
    module.memory = instance.exports.memory;
    instance.exports._initialize();
    return module;
  }

  get floats() {
    return new Float32Array(this.memory.buffer);
  }
  get ints() {
    return new Int32Array(this.memory.buffer);
  }

  text(at) {
    const bytes = new Uint8Array(this.memory.buffer);
    return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  /** Calls a function that returns a status. */
  call(name, ...args) {
    if (this.functions[name](...args) !== 0) this.fail();
  }
  /** Throws the sentence of the call that failed last. */
  fail() {
    throw new TandemError(this.text(this.functions.tandem_last_error()));
  }

  allocate(bytes) {
    // malloc would take the lower 32 bits of a larger number.
    const at = bytes < 2 ** 32 ? this.functions.malloc(Math.max(bytes, 1)) : 0;
    if (at === 0) throw new TandemError(`out of memory: ${bytes} bytes`);
    return at;
  }

  /** Calls use(address) with the bytes of `array` in the module's memory, for the time of the call. */
  with(array, use) {
    const at = this.allocate(array.byteLength);
    try {
      new Uint8Array(this.memory.buffer, at, array.byteLength).set(
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return use(at);
    } finally {
      this.functions.free(at);
    }
  }

  /** Returns the pointer that a call writes: result(address) gives the arguments, with the address where it is put. */
  pointer(name, result) {
    const at = this.allocate(4);
    try {
      this.call(name, ...result(at));
      return this.ints[at / 4] >>> 0;
    } finally {
      this.functions.free(at);
    }
  }
}
