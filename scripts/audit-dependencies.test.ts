import { expect, it } from 'vitest'
import { findLockfileFaults, isAllowedLicence, listProductionPackages, readAudit } from './audit-dependencies.ts'

const pinned = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' }

function lockfileOf(packages: Record<string, object>) {
  return { packages: { '': { dependencies: { a: '^1.0.0' }, devDependencies: { d: '^1.0.0' } }, ...packages } }
}

it('follows what the product needs, from the nearest folder, and leaves out what only its development does', () => {
  const lockfile = lockfileOf({
    'node_modules/a': { ...pinned, dependencies: { b: '^1.0.0' }, peerDependencies: { missing: '*' } },
    'node_modules/a/node_modules/b': { ...pinned, dependencies: { c: '^1.0.0' } },
    'node_modules/b': pinned,
    'node_modules/c': { ...pinned, dependencies: { a: '^1.0.0' } },
    'node_modules/d': { ...pinned, license: 'GPL-3.0-only' },
  })

  expect(listProductionPackages(lockfile)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
  expect(findLockfileFaults(lockfile)).toEqual([])
})

it.each([
  [{ license: 'GPL-3.0-only' }, 'licence "GPL-3.0-only"'],
  [{ license: undefined }, 'licence "none"'],
  [{ hasInstallScript: true }, 'runs a program'],
  [{ integrity: undefined }, 'no integrity'],
  [{ resolved: 'https://registry.example/a.tgz' }, 'names the registry'],
])('refuses a package with %j', (more, message) => {
  const faults = findLockfileFaults(lockfileOf({ 'node_modules/a': { ...pinned, ...more } }))

  expect(faults).toEqual([expect.stringContaining(message)])
})

it.each([
  ['MIT', true],
  ['(MIT OR GPL-2.0-only)', true],
  ['(AFL-2.1 OR BSD-3-Clause)', true],
  ['MIT AND GPL-2.0-only', false],
  ['MIT AND ISC', true],
  ['SEE LICENSE IN x', false],
  ['', false],
])('reads the licence %j as allowed: %j', (licence, isAllowed) => {
  expect(isAllowedLicence(licence)).toBe(isAllowed)
})

it('tells advisories that fail from others, and no advisories from none known', () => {
  const vulnerability = (severity: string) => ({ severity, range: '<2', via: [] })
  const report = { vulnerabilities: { a: vulnerability('high'), b: vulnerability('low') } }

  expect(readAudit(JSON.stringify(report))).toEqual({ kind: 'known', failing: ['a <2: high'], others: ['b <2: low'] })
  expect(readAudit('{"vulnerabilities":{}}')).toEqual({ kind: 'known', failing: [], others: [] })
  expect(readAudit('{"message":"405 Method Not Allowed - POST https://registry.example/x"}')).toEqual({
    kind: 'unavailable',
    reason: '405 Method Not Allowed',
  })
  expect(readAudit('')).toMatchObject({ kind: 'unavailable' })
})
