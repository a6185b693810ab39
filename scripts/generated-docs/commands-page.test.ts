import { expect, it } from 'vitest'
import { writeCommandsPage } from './commands-page.ts'

const prose = 'Introduction.\n\n## What is printed?\n\nText.\n\n## docent key create\n\nA note.\n'

it('describes each command by group, with its notes, arguments and options', () => {
  const page = writeCommandsPage(prose)

  expect(page).toContain('| `docent restore <file>` | Restore a backup into an empty data folder or database. |')
  expect(page).toContain('### docent key create\n\nCreate a key, and print it once.\n\nA note.\n\n| Argument or option')
  expect(page).toMatch(/\| `--kind <kind>` \| .+ One of `admin`, `assistant`\. Required\. \|/)
  expect(page.indexOf('## What is printed?')).toBeLessThan(page.indexOf('## docent ask'))
})

it('refuses notes about a command that does not exist', () => {
  expect(() => writeCommandsPage(`${prose}\n## docent fly\n\nUp.\n`)).toThrow(
    'There is no command docent fly. Remove its notes.',
  )
})
