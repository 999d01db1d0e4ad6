/** How long the app waits for the images that the document itself shows, in milliseconds. */
const MAX_WAIT_MS = 1_000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves after the next frame, or at once in a hidden tab, which has none. */
const nextPaint = () =>
  new Promise<void>((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })

const imagesLoaded = () => Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})))

/**
 * Loads the app: its hints are in a template, where the browser does not follow them. Scripts stand after their
 * dependencies and are evaluated one after the other, so that a slow phone stays responsive.
 */
async function startApp() {
  const { content } = document.querySelector<HTMLTemplateElement>('#app')!
  const scripts = Array.from(content.querySelectorAll<HTMLLinkElement>('[rel=modulepreload]'), ({ href }) => href)
  document.head.append(content)
  for (const script of scripts) {
    // The app itself handles a chunk that is missing.
    await import(/* @vite-ignore */ script).catch(() => {})
    await wait(0)
  }
}

// The content security policy forbids the attribute `style`.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]'))
  element.style.cssText = element.dataset.style!

// The first screen first: the app is several times as large.
void Promise.race([imagesLoaded(), wait(MAX_WAIT_MS)])
  .then(nextPaint)
  .then(startApp)
