//! Measures drawing a value of each distribution, next to rand_distr where it has the same one.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::distr::{Bernoulli, Distribution};
use rand_distr as peer;
use rand_pcg::Pcg64;
use tdg_bench::one;
use tdg_engine::Vectors;

const VALUES: usize = 100_000;

fn catalogue(criterion: &mut Criterion) {
    let mut ours = |name: &str, feature_type: &str, parameters: &str| {
        let definition = one(feature_type, &format!("{{{parameters}}}"));
        criterion
            .benchmark_group(name)
            .bench_function("tdg", |bencher| {
                bencher.iter(|| Vectors::generate(black_box(&definition), 0, VALUES));
            });
    };
    for (name, parameters) in [
        ("gaussian", r#""type": "gaussian", "mu": 10, "sigma": 2"#),
        (
            "gaussian, truncated",
            r#""type": "gaussian", "mu": 10, "sigma": 2, "min": 9, "max": 14"#,
        ),
        ("uniform", r#""type": "uniform", "min": -1, "max": 1"#),
        ("lognormal", r#""type": "lognormal", "mu": 3, "sigma": 0.5"#),
        ("exponential", r#""type": "exponential", "rate": 0.25"#),
        (
            "gamma, shape 2",
            r#""type": "gamma", "shape": 2, "scale": 20"#,
        ),
        (
            "gamma, shape 0.5",
            r#""type": "gamma", "shape": 0.5, "scale": 20"#,
        ),
        ("beta", r#""type": "beta", "alpha": 2, "beta": 5"#),
        (
            "weibull",
            r#""type": "weibull", "shape": 1.5, "scale": 1000"#,
        ),
        ("pareto", r#""type": "pareto", "min": 1, "shape": 1.2"#),
        (
            "triangular",
            r#""type": "triangular", "min": 0, "mode": 2, "max": 10"#,
        ),
        ("student_t", r#""type": "student_t", "nu": 4"#),
        ("cauchy", r#""type": "cauchy", "mu": 0, "sigma": 1"#),
        ("laplace", r#""type": "laplace", "mu": 0, "sigma": 2"#),
        ("logistic", r#""type": "logistic", "mu": 0, "sigma": 2"#),
        ("constant", r#""type": "constant", "value": 1"#),
        (
            "mixture",
            r#""type": "mixture", "components": [{"weight": 9, "mu": 20, "sigma": 5},
                {"weight": 1, "distribution": {"type": "pareto", "min": 50, "shape": 2}}]"#,
        ),
    ] {
        ours(name, "FLOAT", parameters);
    }
    for (name, parameters) in [
        ("bernoulli", r#""type": "bernoulli", "p": 0.3"#),
        ("poisson, rate 3.5", r#""type": "poisson", "rate": 3.5"#),
        ("poisson, rate 1000", r#""type": "poisson", "rate": 1000"#),
        ("binomial, n 20", r#""type": "binomial", "n": 20, "p": 0.3"#),
        (
            "binomial, n 10⁶",
            r#""type": "binomial", "n": 1000000, "p": 0.3"#,
        ),
        (
            "negative_binomial",
            r#""type": "negative_binomial", "n": 3, "p": 0.2"#,
        ),
        ("geometric", r#""type": "geometric", "p": 0.1"#),
        ("zipf", r#""type": "zipf", "n": 1000, "s": 1.1"#),
        ("sequence", r#""type": "sequence""#),
    ] {
        ours(name, "INTEGER", parameters);
    }
    ours(
        "pattern",
        "STRING",
        r#""type": "pattern", "regex": "[A-Z]{4}-\\d{2}""#,
    );
    ours("uuid", "STRING", r#""type": "uuid""#);

    theirs(
        criterion,
        "gaussian",
        peer::Normal::new(10.0, 2.0).expect("valid"),
    );
    theirs(
        criterion,
        "uniform",
        peer::Uniform::new(-1.0, 1.0).expect("valid"),
    );
    theirs(
        criterion,
        "lognormal",
        peer::LogNormal::new(3.0, 0.5).expect("valid"),
    );
    theirs(
        criterion,
        "exponential",
        peer::Exp::new(0.25).expect("valid"),
    );
    theirs(
        criterion,
        "gamma, shape 2",
        peer::Gamma::new(2.0, 20.0).expect("valid"),
    );
    theirs(
        criterion,
        "gamma, shape 0.5",
        peer::Gamma::new(0.5, 20.0).expect("valid"),
    );
    theirs(criterion, "beta", peer::Beta::new(2.0, 5.0).expect("valid"));
    theirs(
        criterion,
        "weibull",
        peer::Weibull::new(1000.0, 1.5).expect("valid"),
    );
    theirs(
        criterion,
        "pareto",
        peer::Pareto::new(1.0, 1.2).expect("valid"),
    );
    theirs(
        criterion,
        "triangular",
        peer::Triangular::new(0.0, 10.0, 2.0).expect("valid"),
    );
    theirs(
        criterion,
        "student_t",
        peer::StudentT::new(4.0).expect("valid"),
    );
    theirs(
        criterion,
        "cauchy",
        peer::Cauchy::new(0.0, 1.0).expect("valid"),
    );
    theirs(criterion, "bernoulli", Bernoulli::new(0.3).expect("valid"));
    theirs(
        criterion,
        "poisson, rate 3.5",
        peer::Poisson::new(3.5).expect("valid"),
    );
    theirs(
        criterion,
        "poisson, rate 1000",
        peer::Poisson::new(1000.0).expect("valid"),
    );
    theirs(
        criterion,
        "binomial, n 20",
        peer::Binomial::new(20, 0.3).expect("valid"),
    );
    theirs(
        criterion,
        "binomial, n 10⁶",
        peer::Binomial::new(1_000_000, 0.3).expect("valid"),
    );
    theirs(
        criterion,
        "geometric",
        peer::Geometric::new(0.1).expect("valid"),
    );
    theirs(
        criterion,
        "zipf",
        peer::Zipf::new(1000.0, 1.1).expect("valid"),
    );
}

fn theirs<T>(criterion: &mut Criterion, name: &str, oracle: impl Distribution<T>) {
    criterion
        .benchmark_group(name)
        .bench_function("rand_distr", |bencher| {
            let mut random = Pcg64::seed_from_u64(0);
            bencher.iter(|| {
                (&oracle)
                    .sample_iter(&mut random)
                    .take(VALUES)
                    .collect::<Vec<T>>()
            });
        });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
        .without_plots();
    targets = catalogue
}
criterion_main!(benches);
