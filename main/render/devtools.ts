/** A connection to one page of a browser by the Chrome DevTools Protocol: evaluates expressions and receives calls from the page. */
import { WebSocket } from 'ws'

/** An exception in the page, or a command that the browser refused. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Evaluated {
  readonly result: { readonly value?: unknown }
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string; readonly value?: unknown } }
}

interface Waiting {
  readonly done: (result: unknown) => void
  readonly fail: (error: Error) => void
}

export class DevTools {
  private readonly waiting = new Map<number, Waiting>()
  private readonly bindings = new Map<string, (text: string) => void>()
  private session = ''
  private last = 0

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.receive(JSON.parse(data.toString('utf8')) as Answer))
    socket.on('close', () => this.fail(new PageError('The browser ended.')))
    socket.on('error', error => this.fail(new PageError(`The connection to the browser failed: ${error.message}`)))
  }

  /** @param address of the browser's own socket, as it prints it @param url the page to open */
  static async open(address: string, url: string): Promise<DevTools> {
    const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 1 << 28 })
    await new Promise<void>((done, fail) => socket.once('open', () => done()).once('error', fail))
    const tools = new DevTools(socket)
    const { targetId } = await tools.command('Target.createTarget', { url: 'about:blank' }) as { targetId: string }
    const { sessionId } = await tools.command('Target.attachToTarget', { targetId, flatten: true }) as { sessionId: string }
    tools.session = sessionId
    await tools.command('Runtime.enable')
    await tools.command('Page.navigate', { url })
    return tools
  }

  /** Provides a global function of this name, with one text argument, to the page. */
  async bind(name: string, listener: (text: string) => void): Promise<void> {
    this.bindings.set(name, listener)
    await this.command('Runtime.addBinding', { name })
  }

  /** Value of an expression, or of the promise it returns. @throws PageError with the page's exception */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.command('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }) as Evaluated
    if (!exceptionDetails) return result.value
    const { text, exception } = exceptionDetails
    throw new PageError((exception?.description ?? text).split('\n', 1)[0]!.replace(/^(\w*Error|Uncaught): /, ''))
  }

  close(): void {
    this.socket.terminate()
  }

  private command(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.last
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail })
      this.socket.send(JSON.stringify({ id, method, params, ...(this.session === '' ? {} : { sessionId: this.session }) }))
    })
  }

  private receive({ id, method, params, result, error }: Answer): void {
    if (method === 'Runtime.bindingCalled') {
      this.bindings.get(params!.name as string)?.(params!.payload as string)
    } else if (method === 'Inspector.targetCrashed') {
      this.fail(new PageError('The page ran out of memory or crashed.'))
    } else if (id !== undefined) {
      const waiting = this.waiting.get(id)
      this.waiting.delete(id)
      if (error) waiting?.fail(new PageError(error.message))
      else waiting?.done(result)
    }
  }

  private fail(error: Error): void {
    for (const { fail } of this.waiting.values()) fail(error)
    this.waiting.clear()
  }
}
