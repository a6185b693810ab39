import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { queryCharsMax } from '../../../../src/contract/search.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Form, FormActions, FormColumns } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import { HitList } from './hit-list.tsx'
import { RemovedPages, TermList } from './query-terms.tsx'
import type { ExplainedSearch } from './hit-parts.ts'
import { readQuestion, type SearchForm } from './search-form.ts'
import { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/search')

/** Shows search results and explains their ranking. */
export function SearchTestPage() {
  return (
    <>
      <PageHeader title={say('Search')}>
        {say('What readers and the assistant find for a query, and why each passage ranks where it does.')}
      </PageHeader>
      <SiteScope>{(site) => <SearchTest key={site.id} site={site} />}</SiteScope>
    </>
  )
}

function SearchTest({ site }: { site: SiteResource }) {
  const asked = route.useSearch()
  const mayEdit = useMay('editor')
  if (!mayEdit) return <Notice>{say('Only editors and owners can test searches.')}</Notice>
  if (site.generation === null)
    return <Notice>{say('This site is not published yet. Wait for its first sync to finish.')}</Notice>
  return (
    <>
      {/* Remounts when the address changes, for example with the back button. */}
      <SearchFields key={JSON.stringify(asked)} asked={asked} />
      {asked.q === undefined ? null : <Results site={site} asked={{ ...asked, q: asked.q }} />}
    </>
  )
}

function SearchFields({ asked }: { asked: SearchForm }) {
  const [form, setForm] = useState(asked)
  const navigate = route.useNavigate()
  const text = (name: keyof SearchForm) => ({
    value: form[name] ?? '',
    onValueChange: (value: string) => setForm({ ...form, [name]: value }),
  })
  const given = Object.entries(form).filter(([, value]) => value !== undefined && value.trim() !== '')
  return (
    <Form onSubmit={() => void navigate({ search: Object.fromEntries(given) })}>
      <TextField label={say('Query')} type="search" required maxLength={queryCharsMax} {...text('q')} />
      <FormColumns>
        <TextField label={say('Version')} isOptional {...text('version')} />
        <TextField label={say('Language')} isOptional {...text('language')} />
        <TextField label={say('Tag')} isOptional {...text('tag')} />
        <TextField
          label={say('Reader groups')}
          isOptional
          description={say('Search as a signed-in reader in these groups.')}
          {...text('groups')}
        />
        <TextField
          label={say('Reader’s page')}
          isOptional
          description={say('For example /install.')}
          {...text('page')}
        />
      </FormColumns>
      <FormActions>
        <Button type="submit" look="primary">
          {say('Search')}
        </Button>
      </FormActions>
    </Form>
  )
}

function Results({ site, asked }: { site: SiteResource; asked: SearchForm & { q: string } }) {
  const search = useQuery({
    ...queryOf(playgroundOperations.explainSearch, { params: { id: site.id }, body: readQuestion(asked) }),
    retry: false,
    placeholderData: keepPreviousData,
  })
  return <Loaded query={search}>{(found) => <Found found={found} />}</Loaded>
}

function Found({ found }: { found: ExplainedSearch }) {
  return (
    <>
      <TermList found={found} />
      {found.hits.length === 0 ? (
        <EmptyState icon={<SearchX aria-hidden />} title={say('No results')}>
          {say('No passage in this scope contains any of these words.')}
        </EmptyState>
      ) : (
        <HitList hits={found.hits} />
      )}
      <RemovedPages removed={found.removed} />
    </>
  )
}
