import { type Contradiction, findContradictions, type PlacedClaim } from '../content/claims/find-contradictions.ts'
import { readClaims } from '../content/claims/read-claims.ts'
import { type CheckedSample, findWrongSamples, type SampleKnowledge } from '../content/samples/check-samples.ts'
import { makeAnew } from '../content/flatten/source-library.ts'
import { createTextLocator, type TextPlace } from '../content/provenance/locate-text.ts'
import type { SitePage } from '../content/site-page.ts'
import type { DiscrepancyFact, DiscrepancyPlace } from '../contract/discrepancies.ts'
import { messageOf, writeMessages } from '../contract/message-texts.ts'
import type { FoundDiscrepancy } from '../store/discrepancies/discrepancies.ts'

/** What a reading of a site's pages shows to be false, by kind. */
export interface SiteDiscrepancies {
  contradiction: FoundDiscrepancy[]
  sample: FoundDiscrepancy[]
}

interface FullClaim extends PlacedClaim {
  page: SitePage
}

/** More of a kind would overwhelm the owner. */
const foundMax = 500
const lineCharsMax = 200

/**
 * Compares the pages of a site with each other, and their samples with what the site describes. Pure.
 *
 * @param remember Keeps what was read from a page, and what was wrong with its samples.
 */
export function findDiscrepancies(
  pages: readonly SitePage[],
  knowledge: SampleKnowledge,
  remember = makeAnew,
): SiteDiscrepancies {
  const locate = createTextLocator()
  const claims = pages.flatMap((page) =>
    remember('claims', [page.markdown], () => readClaims(page.markdown)).map((claim): FullClaim => ({
      ...claim,
      page,
    })),
  )
  const found = findContradictions(claims).slice(0, foundMax)
  const samples = findWrongSamples(pages, knowledge, remember).flatMap(
    (checked) => describeSample(checked, locate) ?? [],
  )
  return {
    contradiction: found.map((contradiction) => describeContradiction(contradiction, locate)),
    sample: [...new Map(samples.map((sample) => [sample.key, sample])).values()].slice(0, foundMax),
  }
}

type Locate = ReturnType<typeof createTextLocator>

function describeContradiction({ a, b }: Contradiction<FullClaim>, locate: Locate): FoundDiscrepancy {
  const claims = [a, b].toSorted((one, other) => Number(one.form !== 'reference') - Number(other.form !== 'reference'))
  const places = claims.map((claim) => ({
    claim,
    place: locate(claim.page, claim.block, [claim.key.written, bareValue(claim)]),
  }))
  const name = a.key.written
  const [one = '', other = ''] = claims.map(({ value }) => value.written)
  return {
    key: JSON.stringify([a.key.id, a.attribute, ...[a.page.file, b.page.file].sort()]),
    subject: name,
    page: claims[1]?.page.file ?? a.page.file,
    isCertain: a.key.strength === 'strong',
    details: {
      title: writeMessages([messageOf('drift-contradiction', { subject: name, attribute: a.attribute, one, other })]),
      places: places.map(({ claim, place }) => toPlace(claim, place)),
      facts: places.map(({ claim, place }) => toFact(claim, place)),
      advice: writeMessages([messageOf('drift-advice-contradiction')]),
      replacement: null,
    },
  }
}

/** Null for samples in which nothing is wrong. */
function describeSample({ page, block, sample, verdict }: CheckedSample, locate: Locate): FoundDiscrepancy | null {
  if (verdict.outcome !== 'wrong') return null
  const { basis, message, subject } = verdict
  const text = sample.code.split('\n')[verdict.line]?.trim() ?? ''
  const place = locate(page, block, [text])
  return {
    key: JSON.stringify([basis, subject, page.file]),
    subject,
    page: page.file,
    isCertain: !basis.endsWith('syntax'),
    details: {
      title: message,
      places: [{ ...place, text: text.slice(0, lineCharsMax) }],
      facts: [
        {
          label: writeMessages([messageOf('drift-checked')]),
          value: basis,
          repository: null,
          commit: null,
          file: null,
          line: null,
        },
      ],
      advice: `Correct the sample, or ${basis.endsWith('syntax') ? 'mark what it leaves out with `...`' : `describe what it uses in ${basis}`}.`,
      replacement: null,
    },
  }
}

const bareValue = ({ value }: PlacedClaim) => value.written.replace(/^["']|["']$/g, '')

function toPlace({ text }: PlacedClaim, place: TextPlace): DiscrepancyPlace {
  return { ...place, text: text.slice(0, lineCharsMax) }
}

function toFact({ attribute, value }: PlacedClaim, { file, line }: TextPlace): DiscrepancyFact {
  const label = attribute.charAt(0).toUpperCase() + attribute.slice(1)
  return { label, value: value.written, repository: null, commit: null, file, line }
}
