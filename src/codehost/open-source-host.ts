import { findRepository } from '../store/hosting/repositories.ts'
import type { SiteSource } from '../store/sites/sites.ts'
import { openBuiltinCodeHost } from './builtin/builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin/builtin-host-deps.ts'
import type { CodeHost } from './code-host.ts'

/** Opens the host of a source's repository; null for a source without pull requests. */
export async function openSourceHost(deps: BuiltinHostDeps, source: SiteSource): Promise<CodeHost | null> {
  if (source.kind !== 'builtin') return null
  const repository = await findRepository(deps.store.durable, source.location)
  return repository === null ? null : openBuiltinCodeHost(deps, repository)
}
