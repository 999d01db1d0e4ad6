import type { Steps } from '../run-step.ts'
import { cancelHold } from './cancel-hold.ts'
import { askCapture, capture } from './capture.ts'
import { expireSession } from './expire-session.ts'
import { openSession } from './open-session.ts'
import { lookAtSession } from './poll-session.ts'
import { lookAgain } from './recheck-session.ts'
import { abandon, reserve } from './reserve.ts'
import { stopDelivery } from './stop-delivery.ts'
import { watchDelivery } from './watch-delivery.ts'
import { writeOff } from './write-off.ts'

/** What each step that `nextStep` names does. */
export const steps: Steps = {
  reserve,
  abandon,
  open_session: openSession,
  look_at_session: lookAtSession,
  expire_session: expireSession,
  stop_delivery: stopDelivery,
  watch_delivery: watchDelivery,
  ask_capture: askCapture,
  capture,
  cancel_hold: cancelHold,
  write_off: writeOff,
  look_again: lookAgain,
}
