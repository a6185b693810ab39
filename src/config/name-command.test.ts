import { expect, it } from 'vitest'
import { chooseCommandPrefix, nameCommand } from './name-command.ts'

it.each([
  ['a checkout', 'file:///opt/docent/src/config/name-command.ts', 'npm run docent --', true],
  ['a checkout, bundled', 'file:///opt/docent/dist/cli/main.js', 'npm run docent --', true],
  [
    'a checkout below a package',
    'file:///srv/node_modules/docent/src/config/name-command.ts',
    'npm run docent --',
    true,
  ],
  ['an installed package', 'file:///srv/app/node_modules/docent/dist/config/name-command.js', 'npx docent', false],
  ['a global package', 'file:///usr/local/lib/node_modules/docent/dist/config/name-command.js', 'docent', false],
  ['the image', 'file:///app/dist/config/name-command.js', 'node dist/cli/main.js', false],
])('names commands as they are run in %s', (_, url, prefix, hasSources) => {
  expect(chooseCommandPrefix(url, hasSources)).toBe(prefix)
})

it('names the commands of this checkout', () => {
  expect(nameCommand('owner-link')).toBe('npm run docent -- owner-link')
})
