import { expect, it, onTestFinished } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { Overlay } from '../../git/overlay/overlay.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import { ContextFiles } from '../contexts/context-files.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { createAgentTools } from './create-agent-tools.ts'

const live = new AbortController().signal

it('leaves nothing behind of a call that fails half-way', async () => {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('index.md', `${'See the page. '.repeat(20)}[a](a.md)\n`)
  await repository.write('a.md', '# A\n')
  repository.commit()
  const tree = await openCommitTree({ repository: repository.folder, ref: null, subdirectory: '' }, live)
  onTestFinished(() => tree.close())
  // The page that links to the moved one is too large to be written.
  const overlay = new Overlay(tree, { fileBytesMax: 100 })
  const contexts = new ContextFiles({ readable: [], hidden: [] }, () => Promise.reject(new Error('There is none.')))
  const deps: AgentToolDeps = {
    overlay,
    contexts,
    state: { plan: [], finished: null, repairs: 0, problems: [], checkedState: null },
    site: null,
    navigationFile: null,
    grep: async () => ({ matches: [{ path: 'index.md', line: 1, text: '' }], isWhole: true }),
    check: async () => [],
    findForbidden: async () => [],
  }
  const move = createAgentTools(deps).find(({ name }) => name === 'move')

  await expect(move?.run({ from: 'a.md', to: 'b.md' }, live)).rejects.toThrow('at most 100')

  expect(overlay.changes()).toEqual([])
})
