import { describe, expect, it } from 'vitest'
import { checkImportDirection } from './import-direction.ts'

/** Checks files given as path to source. */
function check(files: Record<string, string>): string[] {
  return checkImportDirection(Object.entries(files).map(([path, source]) => ({ path, source })))
}

describe('rooms', () => {
  it('may import rooms below, their own files and the exceptions of the table', () => {
    const faults = check({
      'server/routes/answer-v1.ts': `import { answer } from '../../assistant/answer.ts'\nimport { reply } from '../reply.ts'`,
      'server/create-server.ts': `import { route } from './routes/answer-v1.ts'`,
      'search/index-file.ts': `import type { Chunk } from '../content/chunk.ts'`,
      'contract/search.ts': `import { z } from 'zod'`,
    })

    expect(faults).toEqual([])
  })

  it.each([
    ['a room above', 'store/keys.ts', `import { x } from '../access/x.ts'`, 'imports access/, which is above store/'],
    ['a room on the same floor', 'sites/a.ts', `import { x } from '../access/x.ts'`, 'same floor as sites/'],
    [
      'the other way of an exception',
      'content/a.ts',
      `import type { X } from '../search/x.ts'`,
      'same floor as content/',
    ],
    ['types too', 'base/a.ts', `import type { X } from '../store/x.ts'`, 'above base/'],
    ['types inside of types', 'base/a.ts', `export type X = import('../store/x.ts').X`, 'above base/'],
    ['re-exports', 'base/a.ts', `export { x } from '../store/x.ts'`, 'above base/'],
    ['dynamic imports', 'base/a.ts', `await import('../store/x.ts')`, 'above base/'],
    [
      'worker files named by address',
      'base/a.ts',
      `new Worker(new URL('../store/x.ts', import.meta.url))`,
      'above base/',
    ],
    [
      'worker files with a computed ending',
      'base/a.ts',
      'new URL(`../store/x${ending}`, import.meta.url)',
      'above base/',
    ],
    [
      'worker files of two names',
      'base/a.ts',
      `new URL(b ? './x.ts' : '../store/x.js', import.meta.url)`,
      'above base/',
    ],
    ['a room that the table does not know', 'helpers/a.ts', `import { x } from './x.ts'`, 'table does not know'],
    ['files outside of src', 'cli/a.ts', `import { x } from '../../scripts/x.ts'`, 'outside of src/'],
    ['anything but zod in contract', 'contract/a.ts', `import { join } from 'node:path'`, 'nothing but zod'],
    ['base in contract', 'contract/a.ts', `import { x } from '../base/x.ts'`, 'nothing but zod'],
    ['anything but contract in client', 'client/a.ts', `import { x } from '../base/x.ts'`, 'nothing but contract, zod'],
  ])('may not import %s', (_case, path, source, sentence) => {
    expect(check({ [path]: source })).toEqual([expect.stringContaining(sentence)])
  })

  it('may read files outside of src that are no code', () => {
    const faults = check({
      'app/a.ts': `new URL('../../docs', import.meta.url)\nnew URL('../../web/site.css', import.meta.url)`,
      'app/b.ts': `new Worker(new URL('../../scripts/x.ts', import.meta.url))`,
    })

    expect(faults).toEqual([
      expect.stringContaining('src/app/b.ts:1 imports ../../scripts/x.ts, which is outside of src/'),
    ])
  })

  it('keep the direction in tests, which may use test/ besides', () => {
    const faults = check({
      'store/keys.test.ts': `import { x } from '../access/x.ts'\nimport { y } from '../../test/support/y.ts'`,
    })

    expect(faults).toEqual([expect.stringContaining('src/store/keys.test.ts:1 imports access/')])
  })
})

describe('packages', () => {
  it.each([
    ['access/a.ts', 'kysely'],
    ['access/a.ts', 'pg'],
    ['content/a.ts', 'node:sqlite'],
    ['store/a.ts', 'node:child_process'],
    ['assistant/a.ts', '@ai-sdk/provider'],
    ['assistant/a.ts', '@ai-sdk/openai'],
    ['app/a.ts', 'hono'],
    ['app/a.ts', 'hono/body-limit'],
    ['app/a.ts', '@hono/node-server'],
    ['app/a.ts', 'node:process'],
  ])('in %s may not be %s', (path, name) => {
    expect(check({ [path]: `import type { x } from '${name}'` })).toHaveLength(1)
  })

  it.each([
    ['store/a.ts', 'kysely'],
    ['search/a.ts', 'node:sqlite'],
    ['git/run-git.ts', 'node:child_process'],
    ['models/a.ts', '@ai-sdk/provider'],
    ['server/a.ts', '@hono/zod-openapi'],
    ['access/a.test.ts', 'node:child_process'],
  ])('in %s may be %s', (path, name) => {
    expect(check({ [path]: `import { x } from '${name}'` })).toEqual([])
  })
})

describe('the environment', () => {
  it.each([
    'process.env.PATH',
    `process.env['PATH']`,
    `process['env']`,
    'globalThis.process.env',
    'const { env } = process',
  ])('is read as %s only in config', (expression) => {
    expect(check({ 'store/a.ts': `\n${expression}` })).toEqual([
      expect.stringContaining('src/store/a.ts:2 reads the environment'),
    ])
    expect(check({ 'config/a.ts': expression })).toEqual([])
  })
})

describe('files', () => {
  const circle = (...names: string[]) =>
    Object.fromEntries(
      names.map((name, index) => [
        `server/${name}.ts`,
        `import type { X } from './${names[(index + 1) % names.length]}.ts'`,
      ]),
    )

  it('may not import each other in a circle of more than three, types included', () => {
    expect(check(circle('a', 'b', 'c', 'd'))).toEqual([
      expect.stringContaining('4 files that all import each other, types included: server/a.ts, server/b.ts'),
    ])
  })

  it('may share types in a circle of three', () => {
    expect(check(circle('a', 'b', 'c'))).toEqual([])
  })
})

describe('folders', () => {
  it('may not import each other in a circle', () => {
    const faults = check({
      'server/routes/a.ts': `import { x } from '../streams/x.ts'`,
      'server/streams/x.ts': `import { y } from '../limits/y.ts'`,
      'server/limits/y.ts': `import { a } from '../routes/a.ts'`,
    })

    expect(faults).toEqual([expect.stringContaining('server/routes → server/streams → server/limits → server/routes')])
  })

  it('may import each other in tests, which run in no order', () => {
    const faults = check({
      'server/routes/a.ts': `import { x } from '../streams/x.ts'`,
      'server/streams/x.test.ts': `import { a } from '../routes/a.ts'`,
    })

    expect(faults).toEqual([])
  })
})

it('refuses a file that cannot be parsed instead of skipping it', () => {
  expect(() => check({ 'base/a.ts': 'import {' })).toThrow('base/a.ts cannot be parsed')
})
