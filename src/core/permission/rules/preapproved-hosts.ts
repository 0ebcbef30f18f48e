/** Documentation of languages and tools: reading it tells nobody anything. Deny and ask rules go before it. */
export const PREAPPROVED_HOSTS: ReadonlyArray<string> = (
  "developer.mozilla.org nodejs.org www.typescriptlang.org docs.python.org doc.rust-lang.org docs.rs go.dev pkg.go.dev " +
  "docs.oracle.com kotlinlang.org docs.swift.org www.php.net ruby-doc.org docs.ruby-lang.org en.cppreference.com " +
  "learn.microsoft.com react.dev vuejs.org angular.dev svelte.dev nextjs.org vite.dev vitest.dev jestjs.io " +
  "docs.djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com docs.spring.io guides.rubyonrails.org " +
  "laravel.com www.postgresql.org dev.mysql.com www.sqlite.org redis.io www.mongodb.com git-scm.com docs.docker.com " +
  "kubernetes.io developer.hashicorp.com docs.aws.amazon.com cloud.google.com docs.github.com docs.gitlab.com " +
  "www.gnu.org man7.org pandas.pydata.org numpy.org pytorch.org www.tensorflow.org scikit-learn.org effect.website"
).split(" ")
