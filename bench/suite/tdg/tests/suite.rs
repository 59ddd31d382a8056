//! A suite of 500 tests with 100 cases each.

macro_rules! modules {
    ($($module:ident)*) => { $(mod $module {
        tests! {
            t00 t01 t02 t03 t04 t05 t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20
            t21 t22 t23 t24
        }
    })* };
}

macro_rules! tests {
    ($($name:ident)*) => { $(
        #[tdg::ensemble_test(definition = "../../same/tdg/definitions/ten.json", size = 100)]
        fn $name(
            float_0: f64,
            float_1: f64,
            float_2: f64,
            float_3: f64,
            integer_0: i64,
            integer_1: i64,
            integer_2: i64,
            category_0: &str,
            category_1: &str,
            category_2: &str,
        ) -> f64 {
            let _ = (float_1, float_2, float_3, integer_0, integer_1, integer_2);
            let _ = (category_0, category_1, category_2);
            float_0
        }
    )* };
}

modules! {
    m00 m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19
}
