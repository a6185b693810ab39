import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Role } from '../../../src/contract/accounts.ts'
import { setReachable } from '../api/connection.ts'
import { createDashboard, Dashboard } from '../dashboard.tsx'
import { type Answers, FakeService } from './fake-service.ts'
import { makeProject, makeSession, makeSite, page } from './samples.ts'

export interface PageOptions extends Answers {
  /** Of whoever is signed in; null for nobody. */
  role?: Role | null
}

/**
 * Opens a page of the dashboard over a fake service, which knows one site.
 *
 * @param path Behind `/dashboard`, with its query.
 */
export function openPage(path: string, { role = 'owner', ...answers }: PageOptions = {}) {
  const service = new FakeService({
    getSession: () => makeSession(role),
    listSites: () => page([makeSite()]),
    listProjects: () => page([makeProject()]),
    ...answers,
  })
  globalThis.fetch = service.fetch as typeof fetch // What pages ask is a path, which the fake takes.
  setReachable(true)
  history.replaceState(null, '', `/dashboard${path}`)
  const dashboard = createDashboard()
  const view = render(<Dashboard {...dashboard} />)
  return { ...view, ...dashboard, service, user: userEvent.setup() }
}
