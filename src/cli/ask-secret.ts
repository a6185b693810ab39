import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Whether there is somebody who can be asked. */
export function canAsk(isJson: boolean): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !isJson
}

/** Asks on the terminal for something that is not to be seen while it is typed. @returns It, without spaces around. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  // What is typed goes nowhere; the terminal itself echoes nothing while it is read raw.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const cancelled = once(terminal, 'SIGINT').then(() => {
    throw new Error('Nothing was changed.')
  })
  try {
    return (await Promise.race([terminal.question(''), cancelled])).trim()
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
