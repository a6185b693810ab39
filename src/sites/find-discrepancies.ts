import { type Contradiction, findContradictions, type PlacedClaim } from '../content/claims/find-contradictions.ts'
import { readClaims } from '../content/claims/read-claims.ts'
import { createTextLocator, type TextPlace } from '../content/provenance/locate-text.ts'
import type { SitePage } from '../content/site-page.ts'
import type { DiscrepancyFact, DiscrepancyPlace } from '../contract/discrepancies.ts'
import type { FoundDiscrepancy } from '../store/discrepancies/discrepancies.ts'

/** What a reading of a site's pages shows to be false, by kind. */
export interface SiteDiscrepancies {
  contradiction: FoundDiscrepancy[]
  sample: FoundDiscrepancy[]
}

interface FullClaim extends PlacedClaim {
  page: SitePage
}

/** Pages of one kind each only: a discrepancy of more would overwhelm its owner. */
const contradictionsMax = 500
const lineCharsMax = 200

/** Compares the pages of a site with each other. About a second of processor time for 5,000 pages. */
export function findDiscrepancies(pages: readonly SitePage[]): SiteDiscrepancies {
  const locate = createTextLocator()
  const claims = pages.flatMap((page) => readClaims(page).map((claim): FullClaim => ({ ...claim, page })))
  const found = findContradictions(claims).slice(0, contradictionsMax)
  return { contradiction: found.map((contradiction) => describeContradiction(contradiction, locate)), sample: [] }
}

function describeContradiction(
  { a, b }: Contradiction<FullClaim>,
  locate: ReturnType<typeof createTextLocator>,
): FoundDiscrepancy {
  const claims = [a, b].toSorted((one, other) => Number(one.form !== 'reference') - Number(other.form !== 'reference'))
  const places = claims.map((claim) => ({
    claim,
    place: locate(claim.page, claim.block, [claim.key.written, bareValue(claim)]),
  }))
  const name = a.key.written
  const stated = claims.map(({ value }) => `\`${value.written}\``)
  return {
    key: JSON.stringify([a.key.id, a.attribute, ...[a.page.file, b.page.file].sort()]),
    subject: name,
    page: claims[1]?.page.file ?? a.page.file,
    isCertain: a.key.strength === 'strong',
    details: {
      title: `Two pages give \`${name}\` another ${a.attribute}: ${stated.join(' and ')}.`,
      places: places.map(({ claim, place }) => toPlace(claim, place)),
      facts: places.map(({ claim, place }) => toFact(claim, place)),
      advice: 'Correct the page that is wrong, or say under which condition each value applies.',
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
