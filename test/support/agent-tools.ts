import { onTestFinished } from 'vitest'
import { JobChangeChecker } from '../../src/agent/checks/check-job-change.ts'
import { JobSiteReader, type SiteQuery } from '../../src/agent/checks/job-site-reader.ts'
import { OpenTrees } from '../../src/agent/checks/open-trees.ts'
import { ContextFiles } from '../../src/agent/contexts/context-files.ts'
import { toToolAccess } from '../../src/agent/rounds/tool-access.ts'
import type { AgentToolDeps } from '../../src/agent/tools/agent-tool.ts'
import { createAgentTools } from '../../src/agent/tools/create-agent-tools.ts'
import { Overlay } from '../../src/git/overlay/overlay.ts'
import { openCommitTree } from '../../src/git/trees/commit-tree.ts'
import { runTool, type ToolOutcome } from '../../src/models/loop/run-tool.ts'
import { createGitRepository } from './git-repository.ts'

/** A job's tools over a repository of its own, without a thread or a model. */
export interface OpenAgentTools {
  deps: AgentToolDeps
  overlay: Overlay
  /** Calls a tool as a model does. */
  call(name: string, input: object): Promise<ToolOutcome>
  /** Calls a tool that must not fail. */
  run(name: string, input: object): Promise<Record<string, never>>
  /** The sentence of a call that must fail. */
  fail(name: string, input: object): Promise<string>
  read(path: string): Promise<string>
}

const live = new AbortController().signal

export async function openAgentTools(
  files: Readonly<Record<string, string>>,
  { subdirectory = '', allowed = [] as string[] } = {},
): Promise<OpenAgentTools> {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  for (const [path, text] of Object.entries(files)) await repository.write(path, text)
  const headCommit = repository.commit()
  const tree = await openCommitTree({ repository: repository.folder, ref: headCommit, subdirectory }, live)
  const trees = new OpenTrees()
  onTestFinished(() => (tree.close(), trees.close()))
  const overlay = new Overlay(tree)
  const [checker, reader] = [new JobChangeChecker(trees), new JobSiteReader(trees)]
  // The reader answers each kind of query with its own type.
  const answer = (kind: string, question: object, signal: AbortSignal) =>
    reader.answer({ kind, ...question } as unknown as SiteQuery, signal) as Promise<never>
  const place = {
    jobId: 'job_1',
    gitDirectory: `${repository.folder}/.git`,
    subdirectory,
    baseCommit: headCommit,
    headCommit,
    overlay,
  }
  const access = toToolAccess(place, {
    scratchFolder: repository.folder,
    allowed,
    allowedSecrets: [],
    mayDelete: async () => false,
    checks: {
      check: (request, signal) => checker.check(request, signal),
      findForbidden: (request, signal) => checker.findForbidden(request, signal),
      ask: (kind, question, signal) => answer(kind, question, signal),
    },
  })
  const deps: AgentToolDeps = {
    ...access,
    overlay,
    subdirectory,
    contexts: new ContextFiles({ readable: [], hidden: [] }, () => Promise.reject(new Error('There is none.'))),
    state: { plan: [], finished: null, repairs: 0, problems: [], checkedState: null, conflicts: [] },
    site: null,
  }
  const tools = createAgentTools(deps)
  const call = (toolName: string, input: object) =>
    runTool({
      call: { type: 'tool-call', toolCallId: 'c1', toolName, input: JSON.stringify(input) },
      tools,
      timeoutMs: 60_000,
      signal: live,
      onError: (_, error) => {
        throw error
      },
    })
  return {
    deps,
    overlay,
    call,
    run: async (name, input) => {
      const outcome = await call(name, input)
      if (outcome.type === 'failed') throw new Error(outcome.message)
      return outcome.output as Record<string, never> // Every tool of the agent returns an object.
    },
    fail: async (name, input) => {
      const outcome = await call(name, input)
      return outcome.type === 'failed' ? outcome.message : `It returned ${JSON.stringify(outcome.output)}`
    },
    read: async (path) => new TextDecoder().decode(await overlay.read(path)),
  }
}
