import { describe, expect, it } from 'vitest'
import { parseSync } from 'oxc-parser'
import { applyMutant, listMutants } from './list-mutants.ts'

/** What a function body can become. */
function mutate(body: string): string[] {
  const head = 'async function run(a: number, b: number, list: string[]) {'
  const source = `${head}${body}}`
  return listMutants('run.ts', source).map((mutant) => applyMutant(source, mutant).slice(head.length, -1))
}

describe('a change', () => {
  it.each([
    ['return a < b', ['return a <= b', 'return a >= b']],
    ['return a === b', ['return a !== b']],
    ['return a + b', ['return a - b']],
    ['return isA && isB', ['return (isA || isB)']],
    ['return a ?? b', ['return a']],
    ['return !isA', ['return isA']],
    ['return isA ? a : b', ['return !(isA) ? a : b']],
    ['if (isA) return 2; return a', ['; return a', 'if (!(isA)) return 2; return a', 'if (isA) return 3; return a']],
    ['return list.some(isA)', ['return list.some()', 'return list.every(isA)']],
    ['return list.filter(isA)', ['return list', 'return list.filter()']],
    ['return clean(list)', ['return list', 'return clean()']],
    ['return await list', ['return list']],
    ["return { a, b: 'x' }", ["return { b: 'x' }", 'return { a }', "return { a, b: '' }"]],
    ['a += 1', [' return;a += 1', ';', 'a -= 1', 'a += 0']],
  ])('of %j is one of these', (body, expected) => {
    expect(mutate(body).toSorted()).toEqual(expected.toSorted())
  })

  it('leaves code that parses', () => {
    const source = `async function f(x: Deps) {
      for (const [a, b] of x.list) { if (!a || b > 2) continue; await x.send(a, { b, ...(a && { c: 1 }) }, \`\${a + 1}\`) }
      return x?.y?.trim().slice(1) ?? (x.z as string)
    }`

    const mutants = listMutants('f.ts', source)

    expect(mutants.length).toBeGreaterThan(20)
    for (const mutant of mutants) expect(parseSync('f.ts', applyMutant(source, mutant)).errors).toEqual([])
  })

  it('tells the line that it begins on', () => {
    const source = 'const max = 5\nfunction f(a: number) {\n  const b = 1\n  return a === b\n}\n'

    expect(listMutants('f.ts', source).map(({ line }) => line)).toEqual([3, 4])
  })
})

it.each([
  ['types and imports', "import { a } from './a.ts'\nexport type B = 'x' | 1\ninterface C { d: true }"],
  ['tables and constants of a module', "const max = 5\nconst table = { a: 'x', b: true }\nconst set = new Set(['y'])"],
  ['what is logged', "function f() { log.info({ id: 1 + 2 }, 'done') }"],
  ['what errors say', "function f() { throw new AppError('not_found', `There is no ${a + b}.`, { cause: error }) }"],
  ['what commands and routes say of themselves', "const f = () => command.description('list').option('--all', 'x')"],
  ['comments', '// a < b && c\nfunction f() {}'],
])('leaves %s alone', (_, source) => {
  // What is around them may be dropped as a whole.
  const changed = listMutants('f.ts', source).filter(({ replacement }) => !/^(?: return)?;$/.test(replacement))

  expect(changed).toEqual([])
})
