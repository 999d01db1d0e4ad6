import { Component, type ReactNode } from 'react'
import { retryFailedCode } from './load-code.ts'

type Props = {
  children: ReactNode
  fallback: ReactNode
  /** A new value is a new try, as is a restored connection. */
  at: string
}

/** React supports error boundaries as class components only. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  /** The value of `at` whose try was made. */
  private tried: string | undefined

  override componentDidMount() {
    addEventListener('online', this.retry)
  }

  override componentWillUnmount() {
    removeEventListener('online', this.retry)
  }

  override componentDidUpdate() {
    // What failed may be code that had failed elsewhere before: a new part of a page is a new try.
    if (!this.state.failed || this.tried === this.props.at) return
    this.tried = this.props.at
    this.retry()
  }

  private retry = () => {
    if (!this.state.failed) return
    retryFailedCode()
    this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
