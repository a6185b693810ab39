import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { useForm } from '../../forms/use-form.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { NotFound } from '../../shell/not-found-page.tsx'
import { findSite } from '../../shell/places.ts'
import { FirstSyncStep } from './first-sync-step.tsx'
import { makeSite } from './make-site.ts'
import { NameStep } from './name-step.tsx'
import { setupSteps } from './setup-steps.ts'
import { checkedPart, emptySiteForm, type SiteForm, suggestNames } from './site-form.ts'
import { SourceStep } from './source-step.tsx'
import { say, sayParts } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/new')

/** Wizard: choose and check the source, name the site, run the first sync. */
export function NewSitePage() {
  const { site, step } = route.useSearch()
  const isOwner = useMay('owner')
  const current = site === undefined ? (step === 'name' ? 1 : 0) : 2
  return (
    <>
      <PageHeader title={say('Add a site')}>
        {say(
          'Docent reads its pages from a repository, a folder or a published site, and can then answer questions about them.',
        )}
      </PageHeader>
      <Steps label={say('Steps')} titles={setupSteps} current={current} />
      {isOwner ? <Wizard site={site} isNaming={step === 'name'} /> : <OwnersOnly />}
    </>
  )
}

function OwnersOnly() {
  const { organization } = useSession()
  return (
    <Notice>
      {sayParts('Only owners can add sites. Ask an owner; the <link>members page</link> lists them.', {
        link: (text) => (
          <Link to="/$organization/members" params={{ organization: organization.id }}>
            {text}
          </Link>
        ),
      })}
    </Notice>
  )
}

interface Checked {
  of: string
  check: SourceCheck
}

function Wizard({ site, isNaming }: { site: string | undefined; isNaming: boolean }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const form = useForm({
    initial: emptySiteForm,
    send: (values) => {
      const source = findCheck(checked, values)?.source ?? null
      if (source === null) throw new Error('The source must be checked before the site is named.')
      return makeSite(values, source)
    },
    onDone: async ({ slug }) => {
      // The next step looks up the site in this list.
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey })
      await navigate({ search: { site: slug }, replace: true })
    },
  })
  const { values } = form
  const check = findCheck(checked, values)
  if (site !== undefined) return <CreatedSite word={site} />
  // After a reload, the source is no longer known at the second step.
  if (isNaming && check?.canRead === true && check.source !== null)
    return <NameStep form={form} onBack={() => history.back()} />
  return (
    <SourceStep
      form={form}
      check={check}
      onChecked={(check) => setChecked({ of: checkedPart(values), check })}
      onNext={() => {
        if (values.name === '' && values.slug === '') form.set(suggestNames(values))
        void navigate({ search: { step: 'name' } })
      }}
    />
  )
}

/** The check, if it still matches the current values. */
function findCheck(checked: Checked | null, values: SiteForm): SourceCheck | null {
  return checked?.of === checkedPart(values) ? checked.check : null
}

function CreatedSite({ word }: { word: string }) {
  const sites = useQuery(sitesQuery)
  return (
    <Loaded query={sites}>
      {(sites) => {
        const site = findSite(sites, word) ?? sites.find(({ slug }) => slug === word)
        return site == null ? (
          <NotFound>{say('There is no site with this name.')}</NotFound>
        ) : (
          <FirstSyncStep site={site} />
        )
      }}
    </Loaded>
  )
}
