import type { SiteResource, siteUpdateSchema } from '../../../../src/contract/admin.ts'
import type { Ceiling } from '../../../../src/contract/site-settings.ts'
import type { z } from 'zod'
import { readHandOver, toHandOverForm } from './hand-over-form.ts'

/** Values of the form. */
export interface SettingsForm {
  name: string
  url: string
  /** One per line. */
  hostnames: string
  location: string
  ref: string
  subdirectory: string
  credential: 'keep' | 'replace' | 'remove'
  tokenUser: string
  token: string
  instructions: string
  dailyCostUsdMax: string
  dailyTokensMax: string
  suggestions: boolean
  /** One per line. */
  agentPaths: string
  gapJobReaders: string
  gapJobsPerDay: string
  driftJobsPerDay: string
  requiresNoneWorse: boolean
  suiteAsksModel: boolean
  answersByAddress: boolean
  /** One per line. */
  allowedSecrets: string
  supportContact: string
  /** Whether readers may write to the people behind the site. */
  handOver: boolean
  /** One per line: `LABEL: KIND` or `LABEL: KIND, required`. */
  handOverFields: string
  /** One per line. */
  handOverEmails: string
  handOverIssues: boolean
  /** Whether a digest is sent every week. */
  digest: boolean
  /** One per line. */
  digestEmails: string
}

export function toSettingsForm({ name, url, hostnames, source, settings }: SiteResource): SettingsForm {
  return {
    name,
    url,
    hostnames: hostnames.join('\n'),
    location: source.location,
    ref: source.ref ?? '',
    subdirectory: source.subdirectory,
    credential: 'keep',
    tokenUser: '',
    token: '',
    instructions: settings.instructions ?? '',
    dailyCostUsdMax: String(settings.dailyCostUsdMax ?? ''),
    dailyTokensMax: String(settings.dailyTokensMax ?? ''),
    suggestions: settings.suggestions,
    agentPaths: settings.agentPaths.join('\n'),
    gapJobReaders: String(settings.gapJobReaders ?? ''),
    gapJobsPerDay: String(settings.gapJobsPerDay),
    driftJobsPerDay: String(settings.driftJobsPerDay),
    requiresNoneWorse: settings.requiresNoneWorse,
    suiteAsksModel: settings.suiteAsksModel,
    answersByAddress: settings.answersByAddress,
    allowedSecrets: settings.allowedSecrets.join('\n'),
    supportContact: settings.supportContact ?? '',
    ...toHandOverForm(settings.handOver),
    digest: settings.digest !== null,
    digestEmails: settings.digest?.emails.join('\n') ?? '',
  }
}

/** Only the changed fields, so that concurrent changes by others survive and editors send only what they may. */
export function readChange(
  form: SettingsForm,
  base: SettingsForm,
  site: Pick<SiteResource, 'source'>,
): z.input<typeof siteUpdateSchema> {
  const differs = (...names: (keyof SettingsForm)[]) => names.some((name) => form[name] !== base[name])
  const settings = readSettings(form, differs)
  return {
    ...(differs('name') && { name: form.name.trim() }),
    ...(differs('url') && { url: form.url.trim() }),
    ...(differs('hostnames') && { hostnames: splitLines(form.hostnames) }),
    ...(differs('location', 'ref', 'subdirectory') && { source: readSource(form, site) }),
    ...(form.credential === 'replace' && { credential: readCredential(form) }),
    ...(form.credential === 'remove' && { credential: null }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

function readSource({ location, ref, subdirectory }: SettingsForm, { source }: Pick<SiteResource, 'source'>) {
  return {
    ...source,
    location: location.trim(),
    ref: ref.trim() === '' ? null : ref.trim(),
    subdirectory: subdirectory.trim().replaceAll(/^\/+|\/+$/g, ''),
  }
}

function readCredential({ token, tokenUser }: SettingsForm) {
  return { token: token.trim(), ...(tokenUser.trim() !== '' && { username: tokenUser.trim() }) }
}

function readSettings(form: SettingsForm, differs: (...names: (keyof SettingsForm)[]) => boolean) {
  return {
    ...(differs('instructions') && { instructions: orNull(form.instructions) }),
    ...(differs('dailyCostUsdMax') && { dailyCostUsdMax: readCeiling(form.dailyCostUsdMax) }),
    ...(differs('dailyTokensMax') && { dailyTokensMax: readCeiling(form.dailyTokensMax) }),
    ...(differs('suggestions') && { suggestions: form.suggestions }),
    ...(differs('agentPaths') && { agentPaths: splitLines(form.agentPaths) }),
    ...(differs('gapJobReaders') && { gapJobReaders: readCount(form.gapJobReaders) }),
    ...(differs('gapJobsPerDay') && { gapJobsPerDay: readCount(form.gapJobsPerDay) ?? 1 }),
    ...(differs('driftJobsPerDay') && { driftJobsPerDay: readCount(form.driftJobsPerDay) ?? 0 }),
    ...(differs('requiresNoneWorse') && { requiresNoneWorse: form.requiresNoneWorse }),
    ...(differs('suiteAsksModel') && { suiteAsksModel: form.suiteAsksModel }),
    ...(differs('answersByAddress') && { answersByAddress: form.answersByAddress }),
    ...(differs('allowedSecrets') && { allowedSecrets: splitLines(form.allowedSecrets) }),
    ...(differs('supportContact') && { supportContact: orNull(form.supportContact) }),
    ...(differs('handOver', 'handOverFields', 'handOverEmails', 'handOverIssues') && { handOver: readHandOver(form) }),
    ...(differs('digest', 'digestEmails') && {
      digest: form.digest ? { emails: splitLines(form.digestEmails) } : null,
    }),
  }
}

function readCeiling(text: string): Ceiling | null {
  const typed = text.trim()
  if (typed === '' || typed === 'unlimited') return typed === '' ? null : typed
  const amount = Number(typed)
  // JSON turns NaN into null, which means the installation's limit; the service refuses negative values.
  return Number.isFinite(amount) ? amount : -1
}

/** Null for an empty field; the service refuses anything but whole numbers. */
function readCount(text: string): number | null {
  return text.trim() === '' ? null : Number(text) || 0
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

function splitLines(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}
