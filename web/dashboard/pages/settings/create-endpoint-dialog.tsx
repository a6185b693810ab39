import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEventType } from '../../../../src/contract/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField } from '../../../ui/choice-field.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { createEndpoint, type EndpointCreated } from '../../api/webhook-endpoints.ts'

const events = [
  { value: 'job.ended', label: 'A job has ended' },
  { value: 'pull_request.merged', label: 'A pull request of a job is merged' },
  { value: 'sync.failed', label: 'A sync has failed' },
] as const satisfies readonly { value: WebhookEventType; label: string }[]

/** Adds an endpoint and shows its secret, this once. */
export function CreateEndpointDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<EndpointCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? 'Add an endpoint' : 'The secret of the endpoint'}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <EndpointForm onCreated={setCreated} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">
            Give it to the program that takes the messages: they are signed with it. It is shown this once.
          </Notice>
          <CopyLine text={created.secret} what="secret" />
          <DialogActions>
            <Button onClick={close}>Done</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function EndpointForm({ onCreated, onCancel }: { onCreated(created: EndpointCreated): void; onCancel(): void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<WebhookEventType[]>(events.map(({ value }) => value))
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => createEndpoint({ name, url, events: chosen }),
    onSuccess: (created) => {
      onCreated(created)
      return client.invalidateQueries({ queryKey: ['webhook-endpoints'] })
    },
  })
  const errorOf = (label: string, path: string) => describeFieldError(create.error, label, path)
  const eventError = errorOf('The list of events', 'events')
  const hasFieldErrors = create.error instanceof ApiError && create.error.details.length > 0
  return (
    <Form isBusy={create.isPending} onSubmit={() => create.mutate()}>
      {create.isError && (!hasFieldErrors || eventError !== null) ? (
        <Notice tone="danger">{eventError ?? describeError(create.error)}</Notice>
      ) : null}
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        onValueChange={setName}
        error={errorOf('The name', 'name')}
      />
      <TextField
        label="Address"
        description="Takes a POST with JSON."
        placeholder="https://example.com/docent"
        type="url"
        required
        value={url}
        onValueChange={setUrl}
        error={errorOf('The address', 'url')}
      />
      <CheckboxField<WebhookEventType> legend="Told when" choices={events} values={chosen} onValuesChange={setChosen} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Add the endpoint
        </Button>
      </DialogActions>
    </Form>
  )
}
