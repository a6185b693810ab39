import { deleteRepository, importRepository } from '../../api/repositories.ts'
import { createSite, type SourceInput } from '../../api/sites.ts'
import { isImported, readSiteCreate, type SiteForm } from './site-form.ts'

/** Creates a site, after importing its repository if that is asked for. */
export async function makeSite(form: SiteForm, source: SourceInput) {
  if (!isImported(form, source)) return createSite(readSiteCreate(form, source))
  const from = { name: form.slug.trim(), from: source.location, ref: source.ref ?? null }
  const { id, name } = await importRepository(from)
  const imported = { kind: 'builtin' as const, location: name, subdirectory: source.subdirectory ?? '' }
  try {
    return await createSite(readSiteCreate(form, imported))
  } catch (error) {
    // A repository without its site would only block the next attempt. The first failure is the one to report.
    await deleteRepository(id).catch(() => {})
    throw error
  }
}
