import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { KeyFields } from './key-fields.tsx'
import { emptyKeyForm, expiryOptions, readKeyForm } from './key-form.ts'
import { NewKey } from './new-key.tsx'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { call, type Reply } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export type KeyCreated = Reply<typeof keyOperations.createKey>

export interface CreateKeyDialogProps {
  sites: readonly SiteResource[]
  isOpen: boolean
  onClose(): void
}

/** Creates a key and shows its secret once. */
export function CreateKeyDialog({ sites, isOpen, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? say('Create key') : say('Key {name}', { name: created.name })}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <NewKeyForm sites={sites} onCreated={setCreated} onCancel={close} />
      ) : (
        <NewKey created={created} sites={sites} onDone={close} />
      )}
    </Dialog>
  )
}

interface NewKeyFormProps {
  sites: readonly SiteResource[]
  onCreated(key: KeyCreated): void
  onCancel(): void
}

function NewKeyForm({ sites, onCreated, onCancel }: NewKeyFormProps) {
  const form = useForm({
    initial: () => emptyKeyForm(sites[0]?.id ?? ''),
    send: (values) => call(keyOperations.createKey, { body: readKeyForm(values) }),
    stale: ['listKeys', 'listKeyUsage'],
    onDone: onCreated,
  })
  return (
    <FormView form={form} action={say('Create key')} onCancel={onCancel}>
      <KeyFields form={form} sites={sites} expiryOptions={expiryOptions} />
    </FormView>
  )
}
