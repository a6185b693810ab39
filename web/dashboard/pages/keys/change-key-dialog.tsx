import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyResource } from '../../../../src/contract/admin.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { changeKey } from '../../api/keys.ts'
import { expiryOptions, keyFormOf, readKeyChange } from './key-form.ts'
import { KeyFormView } from './key-form-view.tsx'

/** Changes a key that exists. Its secret stays what it is. */
export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: KeyResource | null; onClose(): void }) {
  return (
    <Dialog
      title={`Change the key ${apiKey?.name ?? ''}`}
      isOpen={apiKey !== null}
      onClose={onClose}
      closesOutside={false}
    >
      {apiKey === null ? null : <ChangeKeyForm key={apiKey.id} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeKeyForm({ apiKey, onClose }: { apiKey: KeyResource; onClose(): void }) {
  const [form, setForm] = useState(() => keyFormOf(apiKey))
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => changeKey(apiKey.id, readKeyChange(form, apiKey)),
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      showToast({ title: `Changed the key ${name}.` })
      onClose()
    },
  })
  const { expiresAt } = apiKey
  const kept = expiresAt === null ? 'Never' : `On ${new Date(expiresAt).toLocaleDateString()}, as now`
  const others = expiryOptions.filter(({ value }) => expiresAt !== null || value !== 'never')
  return (
    <KeyFormView
      form={form}
      expiryOptions={[{ value: 'keep', label: kept }, ...others]}
      save={save}
      action="Save changes"
      onChange={(part) => setForm({ ...form, ...part })}
      onCancel={onClose}
    />
  )
}
