import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Role } from '../../../src/contract/accounts.ts'
import { setReachable } from '../api/connection.ts'
import { createDashboard, Dashboard } from '../dashboard.tsx'
import { type Answers, FakeService } from './fake-service.ts'
import { makeHome, makeProject, makeSession, makeSite, page } from './samples.ts'

export interface PageOptions extends Answers {
  /** Role of the signed-in user; null if signed out. */
  role?: Role | null
}

/**
 * Opens a dashboard page over a fake service with one site.
 *
 * @param path After `/dashboard`, with its query.
 */
export function openPage(path: string, { role = 'owner', ...answers }: PageOptions = {}) {
  const service = new FakeService({
    getSession: () => makeSession(role),
    listSites: () => page([makeSite()]),
    getHome: () => makeHome(),
    listProjects: () => page([makeProject()]),
    ...answers,
  })
  globalThis.fetch = service.fetch as typeof fetch // Pages only pass paths, which the fake accepts.
  setReachable(true)
  history.replaceState(null, '', `/dashboard${path}`)
  const dashboard = createDashboard()
  const view = render(<Dashboard {...dashboard} />)
  return { ...view, ...dashboard, service, user: userEvent.setup() }
}
