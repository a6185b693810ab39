import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerReport } from './servers/measured-server.ts'

/** A server in a process of its own, so that its processor time and memory are its alone. */
export interface MeasuredServer {
  url: string
  report(): Promise<ServerReport>
  stop(): Promise<void>
}

/** @param name A file of `bench/servers/`. */
export async function startMeasured(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url)), args, { env })
  const { port } = await nextMessage<{ port: number }>(child)
  return {
    url: `http://127.0.0.1:${port}`,
    async report() {
      child.send('report')
      return nextMessage<ServerReport>(child)
    },
    async stop() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const answered = new AbortController()
  const { signal } = answered
  const exited = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The server under measurement ended with ${String(code)}.`)
  })
  const [message] = await Promise.race([once(child, 'message', { signal }), exited])
  exited.catch(() => undefined)
  answered.abort()
  return message as Message // Sent by `serveMeasurements`.
}
