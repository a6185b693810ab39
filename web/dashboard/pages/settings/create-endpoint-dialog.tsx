import { useState } from 'react'
import type { WebhookEventType } from '../../../../src/contract/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField } from '../../../ui/choice-field.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { webhookOperations } from '../../../../src/contract/operations/webhooks.ts'
import { call, type Reply } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

type EndpointCreated = Reply<typeof webhookOperations.createWebhookEndpoint>

const events = [
  { value: 'job.ended', label: say('A job ends') },
  { value: 'pull_request.merged', label: say('A pull request of a job is merged') },
  { value: 'sync.failed', label: say('A sync fails') },
  { value: 'hand_over.created', label: say('A reader writes a message') },
  { value: 'digest.created', label: say('The week of a site has ended') },
] as const satisfies readonly { value: WebhookEventType; label: string }[]

/** Adds an endpoint and shows its secret once. */
export function CreateEndpointDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<EndpointCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? say('Add endpoint') : say('Endpoint secret')}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <EndpointForm onCreated={setCreated} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">
            {say('Configure the receiver with this secret, which signs each message. It is shown only once.')}
          </Notice>
          <CopyLine text={created.secret} what={say('secret')} />
          <DialogActions>
            <Button onClick={close}>{say('Done')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function EndpointForm({ onCreated, onCancel }: { onCreated(created: EndpointCreated): void; onCancel(): void }) {
  const form = useForm({
    initial: { name: '', url: '', events: events.map(({ value }): WebhookEventType => value) },
    send: (body) => call(webhookOperations.createWebhookEndpoint, { body }),
    stale: ['listWebhookEndpoints'],
    onDone: onCreated,
  })
  return (
    <FormView form={form} action={say('Add endpoint')} onCancel={onCancel}>
      <TextField label={say('Name')} required maxLength={200} {...form.field('name', say('The name'))} />
      <TextField
        label="URL"
        description={say('Receives POST requests with JSON.')}
        placeholder="https://example.com/docent"
        type="url"
        required
        {...form.field('url', say('The URL'))}
      />
      <MoreFields
        summary={say('{chosen} of {total} events', { chosen: form.values.events.length, total: events.length })}
      >
        <CheckboxField legend={say('Events')} choices={events} {...form.field('events', say('The list of events'))} />
      </MoreFields>
    </FormView>
  )
}
