import { useState } from 'react'
import { insightViewOperations } from '../../../../src/contract/operations/insight-views.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { call, type ItemOf } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { describePeriod } from './insights-search.ts'
import type { InsightsScope } from './use-insights.ts'
import { say } from '../../../words/say.ts'

type SharedView = ItemOf<typeof insightViewOperations.listSharedViews>

const lifetimes = [
  { value: '7', label: say('7 days') },
  { value: '30', label: say('30 days') },
  { value: '90', label: say('90 days') },
  { value: '365', label: say('A year') },
] as const

/** Links that show the numbers of a view to anyone. */
export function ShareDialog({ scope, isOpen, onClose }: { scope: InsightsScope; isOpen: boolean; onClose(): void }) {
  const [url, setUrl] = useState<string | null>(null)
  const close = () => {
    setUrl(null)
    onClose()
  }
  return (
    <Dialog title={say('Share these numbers')} isOpen={isOpen} onClose={close} closesOutside={url === null}>
      {url === null ? (
        <ShareForm scope={scope} onCreated={setUrl} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">{say('Anyone with this link sees the numbers. It is shown only once.')}</Notice>
          <CopyLine text={url} what={say('link')} />
          <DialogActions>
            <Button look="primary" onClick={close}>
              {say('Done')}
            </Button>
          </DialogActions>
        </>
      )}
      <SharedViews />
    </Dialog>
  )
}

interface ShareFormProps {
  scope: InsightsScope
  onCreated(url: string): void
  onCancel(): void
}

function ShareForm({ scope: { site, filter }, onCreated, onCancel }: ShareFormProps) {
  const { days, at, siteId, verdict, feedback, caller, askedBy, ...typed } = filter
  const isNarrowed = at !== undefined || Object.values(typed).some((value) => value !== undefined)
  const form = useForm({
    initial: {
      name: `${site?.name ?? say('All sites')}, ${describePeriod(days).toLowerCase()}`,
      expiresInDays: '30' as Lifetime,
    },
    send: ({ name, expiresInDays }) =>
      call(insightViewOperations.createSharedView, {
        body: {
          name,
          days,
          expiresInDays: Number(expiresInDays) as 30, // One of those offered.
          ...(siteId !== undefined && { siteId }),
          ...(verdict !== undefined && { verdict }),
          ...(feedback !== undefined && { feedback }),
          ...(caller !== undefined && { caller }),
          ...(askedBy !== undefined && { askedBy }),
        },
      }),
    stale: ['listSharedViews'],
    onDone: ({ url }) => onCreated(url),
  })
  return (
    <FormView form={form} action={say('Create link')} onCancel={onCancel}>
      <p>{say('A page with figures and a chart, for anyone with the link: no questions, answers, pages or costs.')}</p>
      {isNarrowed ? (
        <Notice tone="warning">
          {say('The shared page ignores filters for a day, key, language, version, page or text.')}
        </Notice>
      ) : null}
      <TextField label={say('Name')} required maxLength={100} {...form.field('name', say('The name'))} />
      <SelectField label={say('The link works for')} options={lifetimes} {...form.field('expiresInDays')} />
    </FormView>
  )
}

type Lifetime = (typeof lifetimes)[number]['value']

function SharedViews() {
  const list = usePages(insightViewOperations.listSharedViews, {}, { rowsOfPage: 20 })
  const revoke = useChange({
    send: (id: string) => call(insightViewOperations.revokeSharedView, { params: { id } }),
    stale: ['listSharedViews'],
    done: say('Link revoked.'),
    hasFailureToast: true,
  })
  if (list.isFirst && (list.query.data?.items.length ?? 0) === 0) return null
  const columns: [Column<SharedView>, ...Column<SharedView>[]] = [
    { title: say('Name'), render: ({ name }) => name },
    {
      title: say('Expires'),
      render: ({ state, expiresAt }) => (state === 'revoked' ? say('Revoked') : <TimeText time={expiresAt} />),
    },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: ({ id, name, state }) =>
        state === 'open' ? (
          <Button
            size="small"
            aria-label={say('Revoke the link for {name}', { name })}
            onClick={() => revoke.mutate(id)}
          >
            {say('Revoke')}
          </Button>
        ) : null,
    },
  ]
  return (
    <Section title={say('Links')}>
      <ListTable
        list={list}
        caption={say('Links')}
        columns={columns}
        empty={null}
        isDimmed={({ state }) => state !== 'open'}
      />
    </Section>
  )
}
