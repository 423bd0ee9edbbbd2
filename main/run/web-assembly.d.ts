/** The part of WebAssembly that the sandbox uses; Node's types do not declare it. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
  }
  class Module {
    private constructor()
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
