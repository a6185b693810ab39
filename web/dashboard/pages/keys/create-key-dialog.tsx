import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { createKey, type KeyCreated } from '../../api/keys.ts'
import { emptyKeyForm, expiryOptions, readKeyForm } from './key-form.ts'
import { KeyFormView } from './key-form-view.tsx'
import { NewKey } from './new-key.tsx'

export interface CreateKeyDialogProps {
  sites: readonly SiteResource[]
  isOpen: boolean
  onClose(): void
}

/** Makes a key, and shows it this once. */
export function CreateKeyDialog({ sites, isOpen, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? 'Create a key' : `The key ${created.name}`}
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
  const [form, setForm] = useState(() => emptyKeyForm(sites[0]?.id ?? ''))
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => createKey(readKeyForm(form)),
    onSuccess: (created) => {
      onCreated(created)
      return client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('key') })
    },
  })
  return (
    <KeyFormView
      form={form}
      sites={sites}
      expiryOptions={expiryOptions}
      save={save}
      action="Create key"
      onChange={(part) => setForm({ ...form, ...part })}
      onCancel={onCancel}
    />
  )
}
