import { describe, expect, it } from 'vitest'
import { FindingList } from '../finding-list.ts'
import { ComputedValue } from './config-value.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { readConfigCode } from './read-config-code.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

async function read(text: string, files: Readonly<Record<string, string>> = {}, file = 'a.config.ts') {
  const tree = createMemoryTree({ ...files, [file]: text })
  const findings = new FindingList()
  const code = await readConfigCode({ tree, findings, paths: new Set(tree.paths) }, file)
  return { code, value: code?.exported('default'), findings: findings.list() }
}

describe('readConfigCode', () => {
  it('reads literals, constants, spreads, templates and types', async () => {
    const { value } = await read(`
      const name: string = 'x' as const
      const base = { a: 1, [name]: \`\${name}-y\` }
      const list = [1, ...[2, 3]]
      export default { ...base, list, deep: list[1], on: !false, minus: -1, text: 'a' + 'b' } satisfies unknown`)

    expect(value).toEqual({ a: 1, x: 'x-y', list: [1, 2, 3], deep: 2, on: true, minus: -1, text: 'ab' })
  })

  it('follows functions, imports and re-exports of the site, and CommonJS', async () => {
    const { value } = await read(
      `import { one } from './one.js'
       import * as all from './one'
       import data from './data.json'
       const two = require('./two')
       export default async function config() {
         const inner = one('x')
         return { inner, two, all: all.name, data, names: ['a', 'b'].map((name) => ({ name })) }
       }`,
      {
        'one.ts': "export const one = (name: string) => [{ name }]\nexport { name } from './two'",
        'two.js': "exports.name = 'two'\nmodule.exports = { here: true }",
        'data.json': '{"n": 1}',
      },
    )

    expect(value).toEqual({
      inner: [{ name: 'x' }],
      two: { here: true },
      all: 'two',
      data: { n: 1 },
      names: [{ name: 'a' }, { name: 'b' }],
    })
  })

  it('follows functions that are members of a value', async () => {
    const { value } = await read(
      `import * as sidebars from './sidebars'
       const helpers = { link: (text: string) => ({ text, link: '/' + text }) }
       export default { sidebar: sidebars.guide('x'), nav: [helpers.link('a')] }`,
      { 'sidebars.ts': 'export const guide = (name: string) => [{ name }]' },
    )

    expect(value).toEqual({ sidebar: [{ name: 'x' }], nav: [{ text: 'a', link: '/a' }] })
  })

  it('assumes an empty environment and marks everything else as computed, with its line', async () => {
    const { value } = await read(`
      const isProduction = process.env.NODE_ENV === 'production'
      export default {
        base: process.env.BASE || '/docs',
        mode: isProduction ? 'p' : 'd',
        other: import.meta.env.X ?? 'o',
        open: readFileSync('x'),
        date: new Date(),
      }`)

    expect(value).toMatchObject({ base: '/docs', mode: 'd', other: 'o' })
    expect(value).toHaveProperty('open', expect.any(ComputedValue))
    expect(value).toHaveProperty('date.line', 8)
    expect(value).toHaveProperty('open.callee', 'readFileSync')
  })

  it('runs nothing', async () => {
    await read(`
      globalThis.touched = 1
      const a = (() => { globalThis.touched = 2; return 1 })()
      export default { a, get b() { globalThis.touched = 3 }, c: Function('globalThis.touched = 4')() }`)

    expect(globalThis).not.toHaveProperty('touched')
  })

  it('reaches no prototype', async () => {
    const { value } = await read(`
      const a = { ['__proto__']: { polluted: 1 }, constructor: 'c' }
      export default { a, b: ({}).constructor, c: ({}).__proto__, d: [].constructor, e: 'x'.constructor }`)

    expect(value).toMatchObject({ b: undefined, c: undefined, d: undefined })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each([
    ['circles of constants', 'const a = { b }\nconst b = [a]\nexport default a'],
    ['functions that call themselves', 'const f = () => [f(), f()]\nexport default f()'],
    [
      'lists that double',
      `const a0 = [1, 1]\n${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = [...a${n}, ...a${n}]`).join('\n')}\nexport default a60`,
    ],
    [
      'texts that double',
      `const a0 = 'xxxxxxxx'\n${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = a${n} + a${n}`).join('\n')}\nexport default a60`,
    ],
    ['maps of maps', `const f = (x) => [x, x].map((y) => [y, y].map(f))\nexport default f(1)`],
    ['brackets without end', `export default ${'['.repeat(100_000)}`],
    ['arrows without end', `export default ${'(a='.repeat(140)}1${')=>1'.repeat(140)}`],
    ['types without end', `export default f${'<a'.repeat(140)}${'>'.repeat(140)}(1)`],
    ['members without end', `export default a${'.b'.repeat(50_000)}`],
    ['sums without end', `export default 1${'+1'.repeat(50_000)}`],
  ])('terminates with %s', { timeout: 20_000 }, async (_name, text) => {
    const start = threadCpuMs()

    await read(text)

    expect(threadCpuMs() - start).toBeLessThan(5000)
  })

  it('reports code that does not parse, with its line', async () => {
    const { code, findings } = await read('export default {\n  a: ,\n}')

    expect(code).toBeNull()
    expect(findings).toMatchObject([{ file: 'a.config.ts', line: 2, rule: 'config-unparsable' }])
  })
})
