import { isImported, readSiteCreate, type SiteForm, type SourceInput } from './site-form.ts'
import { repositoryOperations } from '../../../../src/contract/operations/repositories.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'

/** An import copies all files of a folder. */
const importTimeLimitMs = 300_000

/** Creates a site, importing its repository first if requested. */
export async function makeSite(form: SiteForm, source: SourceInput) {
  if (!isImported(form, source)) return call(siteOperations.createSite, { body: readSiteCreate(form, source) })
  const from = { name: form.slug.trim(), from: source.location, ref: source.ref ?? null }
  const { id, name } = await call(repositoryOperations.importRepository, { body: from, timeLimitMs: importTimeLimitMs })
  const imported = { kind: 'builtin' as const, location: name, subdirectory: source.subdirectory ?? '' }
  try {
    return await call(siteOperations.createSite, { body: readSiteCreate(form, imported) })
  } catch (error) {
    // An imported repository without its site would block the next attempt. Report the first failure.
    await call(repositoryOperations.deleteRepository, { params: { id } }).catch(() => {})
    throw error
  }
}
