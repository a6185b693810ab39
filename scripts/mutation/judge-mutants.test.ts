import { expect, it } from 'vitest'
import { MutantJudge } from './judge-mutants.ts'
import { readImportGraph } from './find-nearest-tests.ts'
import type { TestOutcome } from './run-in-tree.ts'

const source = 'export const f = (a: number) => a < 2'
const mutant = { path: 'src/f.ts', start: source.indexOf('<'), end: source.indexOf('<') + 1, replacement: '>', line: 1 }

interface Setup {
  tests?: readonly string[]
  /** The outcome of one file of tests. */
  run: (file: string, isChanged: boolean) => TestOutcome['kind']
  compiles?: boolean
}

function setup({ tests = ['a', 'b'], run, compiles = true }: Setup) {
  const files = tests.map((name) => [`src/${name}.test.ts`, "import { f } from './f.ts'"] as const)
  const tree = { text: source }
  const ran: string[] = []
  const judge = new MutantJudge({
    sources: new Map([['src/f.ts', source]]),
    graph: readImportGraph(new Map([['src/f.ts', source], ...files])),
    write: (_, text) => (tree.text = text),
    compiles: async () => compiles,
    async runTests(paths) {
      for (const path of paths) {
        const isChanged = tree.text !== source
        ran.push(`${path.slice('src/'.length, -'.test.ts'.length)}${isChanged ? '' : ' unchanged'}`)
        const kind = run(path, isChanged)
        if (kind !== 'passed') return { kind, files: [path] }
      }
      return { kind: 'passed' }
    },
  })
  return { judge, ran, tree }
}

it('is caught when a test fails that passes without the change, and leaves the original behind', async () => {
  const { judge, ran, tree } = setup({ run: (_, isChanged) => (isChanged ? 'failed' : 'passed') })

  expect(await judge.judge(mutant)).toBe('caught')
  expect(ran).toEqual(['a', 'a unchanged'])
  expect(tree.text).toBe(source)
})

it('survives tests that fail anyway, and goes on with the others', async () => {
  const { judge, ran } = setup({ run: (file) => (file === 'src/a.test.ts' ? 'failed' : 'passed') })

  expect(await judge.judge(mutant)).toBe('survived')
  expect(await judge.judge(mutant)).toBe('survived')
  expect(ran).toEqual(['a', 'a unchanged', 'b', 'b'])
})

it('tells a change that hangs', async () => {
  const { judge } = setup({ run: (_, isChanged) => (isChanged ? 'timed-out' : 'passed') })

  expect(await judge.judge(mutant)).toBe('timed-out')
})

it('does not count what does not compile, and runs nothing for it', async () => {
  const { judge, ran, tree } = setup({ run: () => 'passed', compiles: false })

  expect(await judge.judge(mutant)).toBe('does-not-compile')
  expect(ran).toEqual([])
  expect(tree.text).toBe(source)
})

it('survives where there is no test', async () => {
  const { judge } = setup({ tests: [], run: () => 'passed' })

  expect(await judge.judge(mutant)).toBe('survived')
})
