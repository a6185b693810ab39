import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Whether a person can be prompted. */
export function canAsk(isJson: boolean): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !isJson
}

/** Prompts for a secret without echoing it. @returns The trimmed input. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  // Discard the echo; in raw mode, the terminal itself shows nothing.
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
