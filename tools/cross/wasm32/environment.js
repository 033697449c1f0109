// The environment of node's process becomes the program's: emscripten has one of its own.
Module["preRun"] = [() => Object.assign(ENV, process.env)];
