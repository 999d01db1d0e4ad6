import type { Steps } from '../run-step.ts'
import { cancelHold } from './cancel-hold.ts'
import { capture, prepareCapture } from './capture.ts'
import { expireSession } from './expire-session.ts'
import { openSession } from './open-session.ts'
import { pollSession } from './poll-session.ts'
import { rebuild } from './rebuild.ts'
import { recheckSession } from './recheck-session.ts'
import { abandon, reserve } from './reserve.ts'
import { stopDelivery } from './stop-delivery.ts'
import { watchDelivery } from './watch-delivery.ts'
import { writeOff } from './write-off.ts'

/** The implementation of each step; `nextStep` in `../order.ts` selects it. */
export const steps: Steps = {
  reserve,
  abandon,
  open_session: openSession,
  poll_session: pollSession,
  expire_session: expireSession,
  stop_delivery: stopDelivery,
  watch_delivery: watchDelivery,
  prepare_capture: prepareCapture,
  capture,
  cancel_hold: cancelHold,
  write_off: writeOff,
  recheck_session: recheckSession,
  rebuild,
}
