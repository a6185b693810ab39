import { expect, it } from 'vitest'
import { findNearestTests, readImportGraph } from './find-nearest-tests.ts'

const graph = readImportGraph(
  new Map([
    ['src/store/keys.ts', "import { z } from 'zod'"],
    ['src/access/key-directory.ts', "import { readKey } from '../store/keys.ts'"],
    ['src/app/service.ts', "export { open } from '../access/key-directory.ts'"],
    ['src/app/worker.ts', "const open = () => import('../store/keys.ts')"],
    ['src/app/start.ts', "const url = new URL('./worker.ts', import.meta.url)"],
    ['src/store/keys.test.ts', "import { readKey } from './keys.ts'"],
    ['src/store/other.test.ts', "import { open } from '../app/service.ts'"],
    ['src/access/key-directory.test.ts', "import { open } from './key-directory.ts'"],
    ['test/e2e/key-use.test.ts', "import { open } from '../../src/app/service.ts'"],
    ['test/e2e/answers.test.ts', "import { open } from '../../src/app/service.ts'"],
    ['test/e2e/process.test.ts', "spawn(join(import.meta.dirname, '../../src/app/start.ts'))"],
    ['test/e2e/unrelated.test.ts', "import { it } from 'vitest'"],
  ]),
)

it('finds the tests that a file can reach, through workers and started programs too, nearest first', () => {
  expect(findNearestTests({ path: 'src/store/keys.ts', line: '' }, graph, 10)).toEqual([
    'src/store/keys.test.ts',
    'src/store/other.test.ts',
    'src/access/key-directory.test.ts',
    'test/e2e/key-use.test.ts',
    'test/e2e/answers.test.ts',
    'test/e2e/process.test.ts',
  ])
})

it('keeps to the limit', () => {
  const nearest = findNearestTests({ path: 'src/store/keys.ts', line: '' }, graph, 2)

  expect(nearest).toEqual(['src/store/keys.test.ts', 'src/store/other.test.ts'])
})

it('prefers tests that are named after what the changed line speaks of', () => {
  const nearest = findNearestTests({ path: 'src/app/service.ts', line: '  addAnswers(app, parts)' }, graph, 2)

  expect(nearest).toEqual(['test/e2e/answers.test.ts', 'src/store/other.test.ts'])
})
