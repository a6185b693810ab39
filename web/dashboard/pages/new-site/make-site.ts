import { isImported, readSiteCreate, type SiteForm } from './site-form.ts'
import { repositoryOperations } from '../../../../src/contract/operations/repositories.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'
import type { SourceInput } from './site-form.ts'

/** An import reads all files of a folder. */
const importTimeLimitMs = 300_000

/** Creates a site, after importing its repository if that is asked for. */
export async function makeSite(form: SiteForm, source: SourceInput) {
  if (!isImported(form, source)) return call(siteOperations.createSite, { body: readSiteCreate(form, source) })
  const from = { name: form.slug.trim(), from: source.location, ref: source.ref ?? null }
  const { id, name } = await call(repositoryOperations.importRepository, { body: from, timeLimitMs: importTimeLimitMs })
  const imported = { kind: 'builtin' as const, location: name, subdirectory: source.subdirectory ?? '' }
  try {
    return await call(siteOperations.createSite, { body: readSiteCreate(form, imported) })
  } catch (error) {
    // A repository without its site would only block the next attempt. The first failure is the one to report.
    await call(repositoryOperations.deleteRepository, { params: { id } }).catch(() => {})
    throw error
  }
}
