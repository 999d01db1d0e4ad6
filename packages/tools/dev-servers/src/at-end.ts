import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Runs at the end of the test, or of the file when called outside of a test. In reverse sequence. */
export function atEnd(work: () => Promise<unknown>) {
  const run = async () => void (await work())
  if (TestRunner.getCurrentTest() === undefined) afterAll(run)
  else onTestFinished(run)
}
