import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { widgetOperations } from '../../../../src/contract/operations/widget.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { isOwnAddress } from '../../api/own-address.ts'
import { useMay } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { StepList } from '../../shell/step-list.tsx'
import { originsQuery } from './site-origins.tsx'
import { say } from '../../../words/say.ts'

/** Looks at a public page of the website, and says when the first question has come from there. */
export function LiveCheck({ site }: { site: SiteResource }) {
  const { data } = useQuery(originsQuery(site))
  const [typed, setTyped] = useState<string | null>(null)
  const mayCheck = useMay('editor')
  const check = useChange({
    send: (url: string) => call(widgetOperations.checkWidget, { params: { id: site.id }, body: { url } }),
  })
  const known = isOwnAddress(`${site.url}/`) ? data?.items[0]?.origin : site.url
  const url = typed ?? (known?.includes('*') === true ? '' : (known ?? ''))
  const live = data?.items.find(({ askedAt }) => askedAt !== null)
  return (
    <Section
      title={say('Check that it is live')}
      description={say('Publish your website with the line first, then check here.')}
    >
      <Card>
        {mayCheck ? (
          <Form isBusy={check.isPending} onSubmit={() => check.mutate(url)}>
            <TextField label={say('Address of a page')} type="url" required value={url} onValueChange={setTyped} />
            <FormActions>
              <Button type="submit" isBusy={check.isPending}>
                {say('Check the page')}
              </Button>
            </FormActions>
          </Form>
        ) : null}
        <div role="status">
          {check.isPending ? <p>{say('Checking the page …')}</p> : null}
          {check.data === undefined || check.isPending ? null : <StepList steps={check.data.steps} />}
          {check.error === null || check.isPending ? null : <Notice tone="danger">{describeError(check.error)}</Notice>}
        </div>
        <div role="status">
          {live === undefined ? (
            <Notice>{say('Then open your website and ask a question. It shows here within seconds.')}</Notice>
          ) : (
            <Notice tone="success">{say('It is live: a reader asked on {origin}.', { origin: live.origin })}</Notice>
          )}
        </div>
      </Card>
    </Section>
  )
}
