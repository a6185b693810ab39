import { expect, it } from 'vitest'
import { chooseCommandPrefix, nameCommand } from './name-command.ts'

it.each([
  ['a checkout', 'file:///opt/docent/src/config/name-command.ts', 'npm run docent --'],
  ['a checkout below a package', 'file:///srv/node_modules/docent/src/config/name-command.ts', 'npm run docent --'],
  ['an installed package', 'file:///srv/app/node_modules/docent/dist/config/name-command.js', 'npx docent'],
  ['a global package', 'file:///usr/local/lib/node_modules/docent/dist/config/name-command.js', 'docent'],
  ['the image', 'file:///app/dist/config/name-command.js', 'node dist/cli/main.js'],
])('names commands as they are run in %s', (_, url, prefix) => {
  expect(chooseCommandPrefix(url)).toBe(prefix)
})

it('names the commands of this checkout', () => {
  expect(nameCommand('owner-link')).toBe('npm run docent -- owner-link')
})
