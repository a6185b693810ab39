import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AutomationResource } from '../../../../src/contract/automations.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { ApiError, describeError } from '../../api/api-error.ts'
import { changeAutomation, createAutomation } from '../../api/automations.ts'
import { AutomationFields } from './automation-fields.tsx'
import { emptyAutomationForm, readAutomationForm, toAutomationForm } from './automation-form.ts'

export interface AutomationDialogProps {
  sites: readonly SiteResource[]
  /** The one that is changed; null for a new one. */
  automation: AutomationResource | null
  isOpen: boolean
  onClose(): void
}

/** Makes or changes an automation. */
export function AutomationDialog({ sites, automation, isOpen, onClose }: AutomationDialogProps) {
  return (
    <Dialog
      title={automation === null ? 'New automation' : `Change ${automation.name}`}
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <AutomationFormView sites={sites} automation={automation} onClose={onClose} />
    </Dialog>
  )
}

function AutomationFormView({ sites, automation, onClose }: Omit<AutomationDialogProps, 'isOpen'>) {
  const client = useQueryClient()
  const [form, setForm] = useState(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return automation === null
      ? emptyAutomationForm(sites[0]?.id ?? '', timeZone)
      : toAutomationForm(automation, timeZone)
  })
  const save = useMutation({
    mutationFn: () => {
      const { site, ...rest } = readAutomationForm(form)
      return automation === null ? createAutomation({ site, ...rest }) : changeAutomation(automation.id, rest)
    },
    onSuccess: ({ name }) => {
      onClose()
      showToast({ title: `Saved ${name}.` })
      return client.invalidateQueries({ queryKey: ['automations'] })
    },
  })
  const hasFieldErrors = save.error instanceof ApiError && save.error.details.length > 0
  return (
    <Form isBusy={save.isPending} onSubmit={() => save.mutate()}>
      {save.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(save.error)}</Notice> : null}
      <AutomationFields
        form={form}
        sites={automation === null ? sites : null}
        error={save.error}
        onChange={(part) => setForm((form) => ({ ...form, ...part }))}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          Save
        </Button>
      </DialogActions>
    </Form>
  )
}
