import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { FlaskConical, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { suiteOperations } from '../../../../src/contract/operations/suite.ts'
import { type SuiteResource, type SuiteResult, type SuiteTest, suiteTestKey } from '../../../../src/contract/suite.ts'
import { Badge } from '../../../ui/badge.tsx'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { call, queryOf } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import { TestDialog } from './test-dialog.tsx'
import { emptyTestForm, type TestForm, toTestForm } from './test-form.ts'
import classes from './tests-page.module.css'
import { language } from '../../../words/language.ts'
import { say, sayParts } from '../../../words/say.ts'

export function TestsPage() {
  return <SiteScope>{(site) => <TestsView key={site.id} site={site} />}</SiteScope>
}

/** What the dialog shows: a new test, or one of the suite. */
interface Editing {
  test: SuiteTest | null
  initial: TestForm
  isCorrection?: boolean
}

function TestsView({ site }: { site: SiteResource }) {
  const mayEdit = useMay('editor')
  const { question, pages, correct } = useSearch({ strict: false })
  const suite = useQuery(queryOf(suiteOperations.getSuite, { params: { id: site.id } }))
  const given = question === undefined ? null : { ...emptyTestForm, question, pages: pages ?? '' }
  const [editing, setEditing] = useState<Editing | null>(
    given && mayEdit ? { test: null, initial: given, isCorrection: correct === true } : null,
  )
  const [pullRequest, setPullRequest] = useState<string | null>(null)
  const add = () => setEditing({ test: null, initial: emptyTestForm })
  return (
    <>
      <PageHeader
        title={say('Tests')}
        action={
          mayEdit ? (
            <Button look="primary" data-command={suiteOperations.changeSuite.id} onClick={add}>
              <Plus size={16} aria-hidden /> {say('New test')}
            </Button>
          ) : null
        }
      >
        {say('Questions that the documentation must answer, kept in its repository as docent.tests.yaml.')}
      </PageHeader>
      {pullRequest === null ? null : (
        <Notice>
          {sayParts('Your changes are in a <link>pull request</link>. They take effect once it is merged.', {
            link: (text) => <ExternalLink href={pullRequest}>{text}</ExternalLink>,
          })}
        </Notice>
      )}
      <Loaded query={suite}>
        {(suite) => (
          <SuiteView
            site={site}
            suite={suite}
            onEdit={mayEdit ? (test) => setEditing({ test, initial: toTestForm(test) }) : null}
            onChanged={setPullRequest}
          />
        )}
      </Loaded>
      {editing === null ? null : (
        <TestDialog {...editing} site={site} isOpen onClose={() => setEditing(null)} onDone={setPullRequest} />
      )}
    </>
  )
}

interface SuiteViewProps {
  site: SiteResource
  suite: SuiteResource
  /** Null for those who may not. */
  onEdit: ((test: SuiteTest) => void) | null
  onChanged(url: string): void
}

function SuiteView({ site, suite, onEdit, onChanged }: SuiteViewProps) {
  const { tests, results, runs } = suite
  const [removing, setRemoving] = useState<SuiteTest | null>(null)
  const byKey = new Map(results.map((result) => [suiteTestKey(result), result]))
  if (tests.length === 0) {
    return (
      <EmptyState icon={<FlaskConical aria-hidden />} title={say('No tests yet')}>
        {say('Add a question, and what its answer must cite and contain. Docent asks it after every sync.')}
      </EmptyState>
    )
  }
  const columns: [Column<SuiteTest>, ...Column<SuiteTest>[]] = [
    { title: say('Question'), render: (test) => <Question test={test} result={byKey.get(suiteTestKey(test))} /> },
    { title: say('Expected'), render: describeExpected },
    { title: say('Result'), render: (test) => <ResultBadge result={byKey.get(suiteTestKey(test))} /> },
    ...(onEdit === null
      ? []
      : [
          {
            title: say('Actions'),
            isTitleHidden: true,
            render: (test: SuiteTest) => (
              <div className={classes.actions}>
                <Button look="quiet" size="small" onClick={() => onEdit(test)}>
                  {say('Edit')}
                </Button>
                <IconButton
                  size="small"
                  label={say('Remove {question}', { question: test.question })}
                  onClick={() => setRemoving(test)}
                >
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </div>
            ),
          },
        ]),
  ]
  return (
    <>
      {runs.length < 2 ? null : <Trend runs={runs} />}
      <Section title={describeSummary(suite)}>
        <DataTable caption={say('Tests')} columns={columns} rows={tests} keyOf={suiteTestKey} />
      </Section>
      {removing === null ? null : (
        <RemoveDialog site={site} test={removing} onClose={() => setRemoving(null)} onChanged={onChanged} />
      )}
    </>
  )
}

function Trend({ runs }: Pick<SuiteResource, 'runs'>) {
  const rows = runs.toReversed().map((run) => ({ ...run, label: run.revision.slice(0, 7) }))
  return (
    <BarChart
      title={say('Tests by revision of the documentation')}
      rows={rows}
      rowTitle={say('Revision')}
      labelOf={({ label, startedAt }) => `${label}, ${new Date(startedAt).toLocaleString(language)}`}
      series={[
        { name: say('Passed'), tone: 'accent', valueOf: ({ passed }) => passed },
        { name: say('Failed'), tone: 'danger', valueOf: ({ passed, total }) => total - passed },
      ]}
    />
  )
}

function describeSummary({ runs: [newest] }: SuiteResource): string {
  return newest === undefined
    ? say('Not asked yet')
    : say('{passed} of {total} passed', { passed: newest.passed, total: newest.total })
}

function describeExpected({ isRefusal, pages, facts, version, answer }: SuiteTest): string {
  if (isRefusal) return say('a refusal')
  const parts = [
    ...(pages.length > 0 ? [pages.join(' or ')] : []),
    ...facts.map((spellings) => `“${spellings[0]}”`),
    ...(version === null ? [] : [say('version {version}', { version })]),
    ...(answer === null ? [] : [say("has an owner's answer")]),
  ]
  return parts.length === 0 ? say('an answer') : parts.join(', ')
}

function Question({ test, result }: { test: SuiteTest; result: SuiteResult | undefined }) {
  return (
    <>
      {test.question}
      {result === undefined || result.failures.length === 0 ? null : (
        <ul className={classes.failures}>
          {result.failures.map(({ message }, index) => (
            <li key={index}>{message}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function ResultBadge({ result }: { result: SuiteResult | undefined }) {
  if (result === undefined) return <Badge>{say('Not asked yet')}</Badge>
  return result.failures.length === 0 ? (
    <Badge tone="success">{say('Passed')}</Badge>
  ) : (
    <Badge tone="danger">{say('Failed')}</Badge>
  )
}

interface RemoveDialogProps {
  site: SiteResource
  test: SuiteTest
  onClose(): void
  onChanged(url: string): void
}

function RemoveDialog({ site, test: { question, version }, onClose, onChanged }: RemoveDialogProps) {
  const remove = useChange({
    send: () =>
      call(suiteOperations.changeSuite, {
        params: { id: site.id },
        body: { kind: 'remove', of: { question, version } },
      }),
    onDone: ({ pullRequest }) => {
      onChanged(pullRequest.url)
      onClose()
    },
    hasFailureToast: true,
  })
  return (
    <ConfirmDialog
      title={say('Remove the test?')}
      action={say('Remove')}
      isOpen
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {say('“{question}” is removed in a pull request.', { question })}
    </ConfirmDialog>
  )
}
