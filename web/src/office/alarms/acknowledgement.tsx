import type { Alarm } from '@nifty/api/payments/alarms'
import { Field } from '../../ui/forms/field.tsx'
import type { FormValues } from '../../ui/forms/use-form.ts'
import { Time } from '../../ui/time.tsx'

type Given = NonNullable<Alarm['acknowledged']>

/** Who deals with it since when, why, and until when. */
export const Acknowledgement = ({ by, at, reason, until }: Given) => (
  <>
    {by}, <Time at={at} as="recent" />
    {until && (
      <>
        {' '}
        until <Time at={until} as="recent" />
      </>
    )}
    : <span className="written">{reason}</span>
  </>
)

/** The end of an acknowledgement, in the time zone of the browser. */
export const UntilField = () => (
  <Field
    label="Until"
    name="until"
    type="datetime-local"
    hint="Your time. It ends then, if not before; without one it has no end of its own."
  />
)

/** The field of the request. */
export function untilOf({ text }: FormValues): { until?: string } {
  const until = text('until')
  return until === '' ? {} : { until: new Date(until).toISOString() }
}

/** What was recorded, as a sentence. */
export const acknowledgedText = ({ by, until }: Given) => (
  <>
    Acknowledged by {by}
    {until && (
      <>
        {' '}
        until <Time at={until} as="recent" />
      </>
    )}
    .
  </>
)
