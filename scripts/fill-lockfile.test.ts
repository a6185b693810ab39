import { expect, it } from 'vitest'
import { fillLockfile, type Lockfile } from './fill-lockfile.ts'

it('adds an optional package that npm left out, for its platform only', () => {
  const lockfile: Lockfile = {
    packages: {
      'node_modules/tool': {
        version: '1.2.3',
        dev: true,
        optionalDependencies: { '@tool/binding-linux-arm64-gnu': '1.2.3' },
      },
    },
  }

  const added = fillLockfile(lockfile)

  expect(added).toEqual(['node_modules/@tool/binding-linux-arm64-gnu'])
  expect(lockfile.packages['node_modules/@tool/binding-linux-arm64-gnu']).toEqual({
    version: '1.2.3',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['linux'],
  })
})

it('finds a package beside, inside and above the one that needs it', () => {
  const lockfile: Lockfile = {
    packages: {
      'node_modules/a': { optionalDependencies: { x: '1.0.0' } },
      'node_modules/a/node_modules/x': { version: '1.0.0' },
      'node_modules/a/node_modules/b': { optionalDependencies: { x: '1.0.0', y: '1.0.0' } },
      'node_modules/y': { version: '1.0.0' },
      'test/clients/c': { optionalDependencies: { y: '1.0.0' } },
    },
  }

  expect(fillLockfile(lockfile)).toEqual([])
})

it('leaves the choice from a range of versions to npm', () => {
  const lockfile: Lockfile = { packages: { 'node_modules/a': { optionalDependencies: { x: '^1.0.0' } } } }

  expect(() => fillLockfile(lockfile)).toThrow('The lockfile lacks x@^1.0.0')
})
