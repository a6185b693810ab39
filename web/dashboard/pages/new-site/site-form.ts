import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import type { siteCreateSchema } from '../../../../src/contract/admin.ts'
import type { z } from 'zod'

type SiteCreateInput = z.input<typeof siteCreateSchema>
export type SourceInput = SiteCreateInput['source']
type CredentialInput = NonNullable<SiteCreateInput['credential']>

/** Kind of source as users choose it. */
export type SourcePlace = 'address' | 'server' | 'crawl'

export interface SiteForm {
  place: SourcePlace
  location: string
  ref: string
  subdirectory: string
  tokenUser: string
  token: string
  /** For a folder or repository on the server: import it into the built-in host, or read it in place. */
  keeping: 'import' | 'follow'
  name: string
  slug: string
  url: string
}

export const emptySiteForm: SiteForm = {
  place: 'address',
  location: '',
  ref: '',
  subdirectory: '',
  tokenUser: '',
  token: '',
  keeping: 'import',
  name: '',
  slug: '',
  url: '',
}

/** Values that a check depends on: when they change, the check is outdated. */
export function checkedPart({ place, location, ref, subdirectory, tokenUser, token }: SiteForm): string {
  return JSON.stringify([place, location, ref, subdirectory, tokenUser, token])
}

/** The requested source. Without a kind, the service detects the code host of an address. */
export function readAskedSource(form: SiteForm, kind?: SourceInput['kind']) {
  const isCrawl = form.place === 'crawl'
  // Given an absolute path, the service itself detects the kind, and explains what is wrong with other paths.
  const isPart = form.place === 'server' && !/^(?:[/\\]|[a-z]:)/i.test(form.location.trim())
  const asked = isCrawl ? ('crawl' as const) : isPart ? ('folder' as const) : kind
  return {
    ...(asked !== undefined && { kind: asked }),
    location: form.location.trim(),
    ref: isCrawl || form.ref.trim() === '' ? null : form.ref.trim(),
    subdirectory: isCrawl ? '' : form.subdirectory.trim().replaceAll(/^\/+|\/+$/g, ''),
  }
}

function readCredential({ place, token, tokenUser }: SiteForm): CredentialInput | null {
  if (place !== 'address' || token.trim() === '') return null
  return { token: token.trim(), ...(tokenUser.trim() !== '' && { username: tokenUser.trim() }) }
}

/** Whether to import the files into the built-in host, where pull requests can change them. */
export function isImported({ place, keeping }: SiteForm, { kind }: { kind: SourceInput['kind'] }): boolean {
  return place === 'server' && keeping === 'import' && (kind === 'git' || kind === 'folder')
}

export function readSiteCreate(form: SiteForm, source: SourceInput): SiteCreateInput {
  return {
    slug: form.slug.trim(),
    name: form.name.trim(),
    source,
    ...(form.url.trim() !== '' && { url: form.url.trim() }),
    credential: readCredential(form),
  }
}

/** Suggests a slug and name from the last segment of a path or address. */
export function suggestNames(form: SiteForm): Pick<SiteForm, 'name' | 'slug'> {
  const location = form.location.trim()
  const last =
    form.place === 'crawl'
      ? (URL.parse(location)?.host.replace(/^www\./, '') ?? '')
      : (location.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(/\.git$/, '')
  const slug = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  return { name: last, slug }
}

/** The decisive check: for an address on no known code host, the check as a plain repository. */
export async function tryOutSource(form: SiteForm, check: CheckSource): Promise<SourceCheck> {
  const credential = readCredential(form)
  const first = await check({ source: readAskedSource(form), credential })
  if (form.place !== 'address' || first.source !== null) return first
  return check({ source: readAskedSource(form, 'git'), credential })
}

type CheckSource = (input: {
  source: ReturnType<typeof readAskedSource>
  credential: CredentialInput | null
}) => Promise<SourceCheck>
