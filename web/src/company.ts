/** Who runs the store. Each operator writes its own details here; the pages and the legal texts read them. */
export const company = {
  name: 'Nifty Digital Art Ltd',
  number: '00000000',
  register: 'Registered in England and Wales',
  address: ['1 Gallery Walk', 'London, United Kingdom'],
  email: 'hello@nifty.example',
}
