import { expect, it } from 'vitest'
import { runChecks, type Check } from './run-checks.ts'

async function run(...checks: Check[]) {
  const lines: string[] = []
  const failed = await runChecks(checks, { root: import.meta.dirname, print: (line) => lines.push(line) })
  return { failed, text: lines.join('\n') }
}

const evaluate = (name: string, script: string): Check => ({ name, command: [process.execPath, '-e', script] })

it('keeps the output of a check that passes to itself', async () => {
  const { failed, text } = await run(evaluate('quiet', 'console.log("chatter")'))

  expect(failed).toBe(0)
  expect(text).toMatch(/^ok {5}quiet +\d+\.\d s\n1 checks passed\.$/)
})

it('prints the notes of a check that passes', async () => {
  const { text } = await run(evaluate('noted', 'console.log("chatter"); console.log("Note: not looked up.")'))

  expect(text).toContain('Note: not looked up.')
  expect(text).not.toContain('chatter')
})

it('prints the whole output of a check that fails, and goes on with the others', async () => {
  const { failed, text } = await run(
    evaluate('bad', 'console.log("to output"); console.error("to errors"); process.exit(3)'),
    evaluate('good', ''),
    evaluate('other', ''),
  )

  expect(failed).toBe(1)
  expect(text).toMatch(/FAILED bad/)
  expect(text).toContain('to output')
  expect(text).toContain('to errors')
  expect(text).toMatch(/ok {5}other/)
  expect(text).toContain('1 of 3 checks failed.')
})

it('fails for a command that cannot be started and for one that a signal ends', async () => {
  const { failed, text } = await run(
    { name: 'missing', command: ['no-such-command-here'] },
    evaluate('killed', 'process.kill(process.pid, "SIGKILL")'),
  )

  expect(failed).toBe(2)
  expect(text).toContain('no-such-command-here cannot be started')
})
