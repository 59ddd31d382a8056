//! 500 tests of insta that assert the same 100 lines. `bench/run` writes the lines.

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
        #[test]
        fn $name() {
            insta::assert_snapshot!(include_str!("../../../same/insta/tests/lines/few.txt"));
        }
    )* };
}

modules! {
    m00 m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19
}
